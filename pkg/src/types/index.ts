/** Everything that the package speaks of. */
export type * from './event.js';
export type * from './fs.js';
export type * from './gate.js';
export type * from './git.js';
export type * from './host.js';
export type * from './model.js';
export type * from './plan.js';
export type * from './review.js';
export type * from './run.js';
export type * from './snapshot.js';
export type * from './task.js';
