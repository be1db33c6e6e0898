import type { Chunk } from './chunks.js';
import type { VerificationResult } from './gate.js';
import type { Usage } from './model.js';
import type { Diagnostic } from './plan.js';
import type { Review, ReviewTier } from './review.js';
import type { Question, RunCost, StopReason, Work } from './run.js';

/** A run of a project. */
export interface ListedRun {
  runId: string;
  work: Work;
  /** One line for people. */
  title: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Absent for a run that has not ended. */
  endedAt?: number;
  /**
   * `open`: it has not ended, because it goes on in another page, or its page was closed. If a later run worked on the same spec, it
   * is `aborted`. `failed`: the host failed.
   */
  reason: StopReason | 'failed' | 'open';
  /** The reason as text; absent for a run that has not ended. */
  message?: string;
  usage: Usage;
  /** Absent for a run that has not ended, or whose host failed. */
  cost?: RunCost;
  /** The question that waits for an answer. */
  questions: Question[];
}

/** A file below `specs/`. */
export interface ListedSpec {
  path: string;
  title: string;
  /**
   * `drafting`: the planner works on its plan, or must write another one. `planned`: its plan is accepted, or written by hand.
   * `candidate`: an implementation waits for its verification. `failed`: the last run that worked on it gave it up.
   */
  state: 'new' | 'drafting' | 'planned' | 'candidate' | 'done' | 'failed' | 'not-a-spec';
  /** Why the file is not a spec, why its last plan is void, or why it failed. */
  reason?: string;
  /** How many attempts of implementers have a log. */
  attempts: number;
  /** How many plans it has had, with the present draft. */
  plans: number;
  /** What the next implementation must fix. */
  feedback?: string;
}

/** A chunk with its state. */
export interface ListedChunk extends Chunk {
  /** `running`: a run works on it that has not ended, or that continues with an answer or a higher limit. `blocked`: a chunk that it depends on failed. */
  state: 'pending' | 'running' | 'shipped' | 'failed' | 'blocked';
  /** The commit that shipped it. */
  commit?: string;
  /** In order. The oldest ones may be pruned, see `iterations.keep` of the configuration. */
  attempts: ListedAttempt[];
  /** The chunk that it waits for. */
  blockedBy?: string[];
  /** Why it failed. */
  reason?: string;
  /** US dollars of all recorded attempts, if known. The call that summarizes a shipped chunk is in `RunResult.cost` alone. */
  cost?: number;
}

/** A recorded attempt at a chunk. */
export interface ListedAttempt {
  /** From 1, over all runs. */
  number: number;
  /**
   * `revised`: a reviewer asked for changes. `rejected`: the verification failed, or nothing could be committed. `aborted`: the run
   * ended, and the attempt was taken back.
   */
  outcome: 'shipped' | 'revised' | 'rejected' | 'aborted' | 'open';
  /** Why it was revised or rejected, in short. */
  reason?: string;
  /** Milliseconds since the epoch; absent until its first iteration has ended. */
  startedAt?: number;
  endedAt?: number;
  /** The model of the executor, if known. */
  model?: string;
  usage: Usage;
  /** US dollars, if known. */
  cost?: number;
  verification: VerificationResult[];
  reviews: Partial<Record<ReviewTier, Review>>;
  /** The folder with its record. */
  folder: string;
}

/** Whether a list of chunks can run, and why not. */
export interface ChunkReport {
  ok: boolean;
  /** As far as they can be read. */
  chunks: Chunk[];
  /** The ids in the order of a run in which nothing fails; empty for a list that cannot run. */
  order: string[];
  failures: Diagnostic[];
  /** What is not used. */
  warnings: Diagnostic[];
}
