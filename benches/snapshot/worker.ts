import { rowsOfMany } from './many.ts';
import { rowsOf } from './rows.ts';

postMessage([...(await rowsOf('OPFS', [300, 1000])), ...(await rowsOfMany('OPFS'))]);
