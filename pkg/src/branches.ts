import { answerOf } from './answer.js';
import { object, text } from './arguments.js';
import { wasm } from './init.js';
import type { Host } from './types/index.js';

/**
 * Checks out the branch from which the branch of the spec at HEAD started. Files that are not committed stay. Rejects with
 * `conflict`, and changes nothing, if HEAD is not at the branch of a spec or files that are not committed would be overwritten;
 * with `locked` while a run has the project.
 */
export function leaveBranch(host: Host): Promise<{ branch: string }> {
  return answerOf(() => wasm().leaveBranch(object(host, 'host')));
}

/**
 * Merges the branch of a spec into the one from which it started, and checks that out if HEAD is at one of them: by a fast-forward, else with a merge
 * commit. Rejects with `conflict`, names the files and changes nothing, if both branches changed the same lines or files that
 * are not committed would be overwritten; with `locked` while a run has the project. `fastForward` is false if there is a merge commit; a branch that has nothing
 * to merge changes nothing. `spec` is the name of the spec's folder in
 * `.handoff/specs`, the path of the spec, such as `specs/0001-teas.md`, or the branch.
 */
export function mergeBranch(host: Host, spec: string): Promise<{ commit: string; fastForward: boolean }> {
  return answerOf(() => wasm().mergeBranch(object(host, 'host'), text(spec, 'spec')));
}
