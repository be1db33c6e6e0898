// The README's line for isomorphic-git in browsers; `types` are empty, as in the templates of Vite. This file is only compiled.
import { Buffer } from 'buffer';

Object.assign(globalThis, { Buffer });
