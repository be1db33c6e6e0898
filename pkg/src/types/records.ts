import type { IterationClose } from './event.js';
import type { AgentRole, Usage } from './model.js';

/** An iteration, as its `iteration.json` has it. */
export interface StoredIteration {
  runId: string;
  /** From 1, in its run. */
  iteration: number;
  /** From 1: the attempt at the chunk, spec or task that it is part of, as `iteration-started` has it. */
  attempt: number;
  role: AgentRole;
  /** The requested model; absent for the host's main model. */
  model?: string;
  /** The model of the last answer, if known. */
  answeredBy?: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Of an interrupted iteration, the time of its last event. */
  endedAt: number;
  /** `aborted`: the run was aborted. `failed`: the host failed. `interrupted`: the page was closed. */
  outcome: IterationClose | 'aborted' | 'failed' | 'interrupted';
  /** The error, or the reason of the abort. */
  message?: string;
  /** Its model calls, with their cost if it is known. */
  usage: Usage;
  toolCalls: number;
  /** Sorted. */
  filesChanged: string[];
  /** The paths of its files in the project. The path of the prompt is missing if it could not be written. */
  files: { prompt: string; transcript: string; record: string };
}
