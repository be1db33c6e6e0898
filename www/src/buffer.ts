/** isomorphic-git expects Node's Buffer as a global. */
import { Buffer } from 'buffer';

Object.assign(globalThis, { Buffer });
