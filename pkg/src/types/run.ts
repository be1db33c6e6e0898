/// <reference lib="esnext.disposable" preserve="true" />
import type { RunEvent, Phase } from './event.js';
import type { GateReport } from './gate.js';
import type { Host } from './host.js';
import type { Usage } from './model.js';
import type { StructuredTask } from './task.js';

export interface RunOptions extends Host {
  /**
   * A user message (task lifecycle), specs/*.md (plan, implement, verify) or .handoff chunks (SHIP/REVISE). The kinds `spec`
   * and `chunks` are refused by this version of `runLoop`.
   *
   * With `parsed`, the message is not taken apart again: what `parseTask` gave, as the user changed it. Its number, its
   * snapshot and its message are the harness's, whatever it says of them.
   */
  work: { kind: 'task'; message: string; parsed?: StructuredTask } | { kind: 'spec'; path?: string; force?: boolean } | { kind: 'chunks'; spec: string; only?: string[] };
  limits?: Partial<Limits>;
  /** The innermost configuration layer (set in the IDE). */
  config?: ConfigLayer;
  plan?: 'auto' | 'required' | 'off';
  signal?: AbortSignal;
  /** Go on with an unfinished run of this project instead of starting one. */
  resume?: string;
}

export type ConfigLayer = Record<string, unknown>;

export interface Run extends AsyncIterable<RunEvent> {
  readonly id: string;
  readonly result: Promise<RunResult>;
  abort(reason?: string): void;
  /** Queues a user message; the agent sees it at the next safe point. */
  steer(message: string): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What bounds a run; `Infinity` is no bound. */
export interface Limits {
  /** Default: 20. */
  maxIterations: number;
  /** Default: 50. */
  maxToolCallsPerIteration: number;
  /** Failed rounds of gates in a row after work on the sources; default: 5. */
  maxConsecutiveGateFailures: number;
  /** Refused by this version of `runLoop`. */
  maxAttempts: number;
  /** Refused by this version of `runLoop`. */
  maxReplans: number;
  /** Iterations in a row with the same tool calls and without progress, or twice as many with other ones, that are a stall; default: 3. */
  stallThreshold: number;
  /** The stall of this number ends the task and rolls the project back; default: 2. */
  maxStallRecoveries: number;
  /** Read and written, from the start of the run, also over a resume; the model is asked no more once a call as large as the last one would pass it. Default: none. */
  maxTokens: number;
  /** US dollars, from `usage.costUsd` of the answers or the host's `prices`; requires `prices`. Otherwise as `maxTokens`. Default: none. */
  maxCostUsd: number;
  /** Milliseconds of running time, without those between a closed tab and its resume; ends a model's call that lasts longer. Default: none. */
  maxWallMs: number;
  /** Milliseconds that the model may be silent; default: 120,000. */
  modelIdleMs: number;
}

export interface RunResult {
  runId: string;
  success: boolean;
  reason: StopReason;
  message: string;
  iterations: number;
  usage: Usage;
  gates: GateReport[];
  snapshots: { pre?: string; post?: string };
  /**
   * With the reason `needs-clarification`: what to answer; nothing was done. The message of the next run is the answer, and
   * the task goes on with both texts.
   */
  clarification?: string[];
}

export type StopReason =
  | 'done'
  | 'needs-clarification'
  | 'waiting'
  | 'aborted'
  | 'gates-failed'
  | 'max-iterations'
  | 'max-attempts'
  | 'plan-not-converging'
  | 'stalled'
  | 'budget'
  | 'blocked'
  | 'nothing-to-do';

/** What `findUnfinishedRun` finds: pass `runId` as `resume`. */
export interface UnfinishedRun {
  runId: string;
  work: RunOptions['work'];
  phase: Phase;
  iteration: number;
  at: number;
}
