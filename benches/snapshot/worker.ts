import { rowsOf } from './rows.ts';

postMessage(await rowsOf('OPFS', [300, 1000]));
