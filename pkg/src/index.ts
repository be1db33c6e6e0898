/** loopgate: the gated agent loop for browser IDEs. */
export { default, default as init } from './init.js';
export { LoopgateError } from './errors.js';
export type { ErrorCode, Holder, LoopgateErrorJson } from './errors.js';
export { followRun } from './follow.js';
export { findUnfinishedRun, runLoop } from './run.js';
export { explainConfig, explainPolicy, loadConfig, saveConfig } from './config.js';
export { diffPlan, formatBuildInstructions, planCommand, resolvePlanContext, validatePlan } from './plan.js';
export { leaveBranch, mergeBranch } from './branches.js';
export { changes, revert } from './changes.js';
export { listIterations } from './records.js';
export { checkGates } from './gate.js';
export { checkScope } from './scope.js';
export { parseReview } from './review.js';
export { formatTask, parseTask } from './task.js';
export { snapshot, snapshotCommand } from './snapshot.js';
export { guardFs } from './guarded-fs.js';
export { defaultRegistry, version } from './generated.js';
export type * from './types/index.js';
