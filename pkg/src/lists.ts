import { answerOf } from './answer.js';
import { object, text } from './arguments.js';
import { wasm } from './init.js';
import type { ChunkReport, Host, ListedChunk, ListedRun, ListedSpec } from './types/index.js';

/** What the lists read of a host. They write nothing. */
type Reading = Pick<Host, 'fs' | 'dir' | 'stateKey' | 'projectId'>;

/** The runs of a project, newest first. Rejects with the code `corrupt` if all of them are from elsewhere, see `stateKey`. */
export function listRuns(host: Reading): Promise<ListedRun[]> {
  return answerOf(() => wasm().listRuns(object(host, 'host')));
}

/** The files below `specs/` with their state: the specs in the order of a run, then the other files. */
export function listSpecs(host: Reading): Promise<ListedSpec[]> {
  return answerOf(() => wasm().listSpecs(object(host, 'host')));
}

/**
 * The chunks in `.handoff/specs/<spec>/chunks.json` with their state and attempts, in the order of the file; none without the file. The
 * last one is the final review (`final-review`), once it has attempts. Rejects for a list that cannot run, see `checkChunks`.
 */
export function listChunks(host: Reading, spec: string): Promise<ListedChunk[]> {
  return answerOf(() => wasm().listChunks(object(host, 'host'), text(spec, 'spec')));
}

/** Checks the text of a `chunks.json` by the rules of a run. Synchronous; an invalid text gives a report, never an exception. */
export function checkChunks(source: string): ChunkReport {
  return JSON.parse(wasm().checkChunks(text(source, 'source'))) as ChunkReport;
}

/**
 * Whether a file belongs to the work of loopgate and the agent, and not to the project: tasks, plans, attempts, logs, and git's own
 * files. An IDE shows these files apart. `path` is relative to the project.
 */
export function isWorkFile(path: string): boolean {
  return wasm().isWorkFile(text(path, 'path'));
}
