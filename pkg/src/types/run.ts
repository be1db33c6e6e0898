/// <reference lib="esnext.disposable" preserve="true" />
import type { ConfigLayer } from './config.js';
import type { RunEvent, Phase } from './event.js';
import type { GateReport, Requirement } from './gate.js';
import type { Host } from './host.js';
import type { AgentRole, Usage } from './model.js';
import type { StructuredTask } from './task.js';

/**
 * A user message (task lifecycle), specs/*.md (plan, implement, verify) or .handoff chunks (SHIP/REVISE).
 *
 * `spec` works on the specs that are not done, in the order of their numbers, or on the one at `path`. `force` implements and
 * verifies a spec again that is done. It needs `git`.
 *
 * `chunks` works on the chunks of `.handoff/specs/<spec>/` that are not shipped, or on those in `only`; with an empty
 * list, it does nothing. It needs `git`.
 *
 * `parsed` is the result of `parseTask`, with the user's edits; the run does not parse the message again. The harness
 * overwrites its task number, tag and message.
 */
export type Work = { kind: 'task'; message: string; parsed?: StructuredTask } | { kind: 'spec'; path?: string; force?: boolean } | { kind: 'chunks'; spec: string; only?: string[] };

export type RunOptions = RunSettings & (NewRun | ResumedRun);

export interface NewRun {
  work: Work;
  resume?: undefined;
  answers?: undefined;
}

export interface ResumedRun {
  /** The id of an unfinished run of this project to resume, of a run with an open question, or of one that ended with `budget`. */
  resume: string;
  /** Answers to the questions of the run, by their ids. The first answer to a question counts. */
  answers?: Record<string, Answer>;
  /** Ignored: the journal of the run has its work. */
  work?: Work;
}

export interface RunSettings extends Host {
  limits?: Partial<Limits>;
  /** The innermost configuration layer (set in the IDE). */
  config?: ConfigLayer;
  /** The outermost configuration layer: YAML of the user, for all projects. */
  globalConfig?: string;
  /**
   * `auto` (the default): a plan is due for a new app, screen or section where the project has a plan, or the host passes `recipes` or a
   * `registry`. `approved`: the plan in `.ralph/plan.tsx` is the user's, and is built at once; another plan needs the user's approval. Specs and chunks
   * refuse it.
   */
  plan?: 'auto' | 'required' | 'off' | 'approved';
  /**
   * Whether an unclear message of a task ends the run with questions; default: true. With `false`, the run takes the most likely
   * reading, and says so in the `notes` of `run-started`.
   */
  clarify?: boolean;
  signal?: AbortSignal;
}

export interface Run extends AsyncIterable<RunEvent> {
  readonly id: string;
  /** Rejects if the run could not start or a port failed. The iterator throws only if it could not start; a later fault is the event `run-failed`. */
  readonly result: Promise<RunResult>;
  abort(reason?: string): void;
  /**
   * Sends a message of the user. It is part of the present piece of work (the task, the spec, the chunk) until that is accepted: the
   * agent gets it before its next model call, and so do later attempts. Verifiers and reviewers judge it as part of what was
   * asked. Work that is accepted with an unanswered message goes on with one more attempt.
   */
  steer(message: string): void;
  /**
   * The user edits these files and folders, also while a command or a tool of the agent runs: what changes in them until then is
   * the user's. Call it whenever the IDE's editor saves. Paths are relative to `dir`, or absolute. Without it, a change during a
   * command counts as the command's. It also answers the question `whose` for these files.
   */
  edited(paths: string[]): void;
  /** Ends the present wait (event `wait-started`), so that the run tries again at once. Without a wait, nothing happens. */
  retryNow(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `Infinity` means no limit, also in place of one of the configuration or of the resumed run; in dollars, this requires `prices`. */
export interface Limits {
  /** An iteration that did not end does not count. Default: 20 for a task; specs have no limit. */
  maxIterations: number;
  /** Default: 50. */
  maxToolCallsPerIteration: number;
  /** Failed rounds of gates in a row, counted after changes of the sources; default: 5. */
  maxConsecutiveGateFailures: number;
  /** Failed attempts at a spec, of all roles, and unusable proposals of chunks; default: 5. */
  maxAttempts: number;
  /** New plans of a spec after invalidated ones; default: 3. */
  maxReplans: number;
  /** A stall is this many iterations in a row with the same tool calls and no progress, or twice as many with different calls; default: 3. */
  stallThreshold: number;
  /** After this many stalls, the task ends and the project is rolled back; default: 2. */
  maxStallRecoveries: number;
  /** Input and output tokens of the run, including those before a resume. The run stops when another call of the size of the last one would exceed it. Default: none. */
  maxTokens: number;
  /** US dollars, from `usage.costUsd` of the answers or from `prices`, which it requires. Otherwise like `maxTokens`. Default: none. */
  maxCostUsd: number;
  /**
   * US dollars for a task, for a spec, or for a spec with chunks, in all runs of the project. A new run of the same message is another
   * task. Requires what `maxCostUsd` requires. Default: none.
   */
  perTask: number;
  /** US dollars for all runs of a day (UTC) in the project. Requires what `maxCostUsd` requires. Default: none. */
  perDay: number;
  /** Milliseconds of running time, without the time between a closed tab and its resume. Aborts a model call that exceeds it. Default: none. */
  maxWallMs: number;
  /** Milliseconds without any delta from the model before the call is aborted; default: 120,000. */
  modelIdleMs: number;
}

/** US dollars. What is neither accepted nor rejected is not judged. */
export interface Cost {
  spent: number;
  /** For work that was accepted. */
  accepted: number;
  /** For work that was rejected or taken back. */
  rejected: number;
  /** The tokens or the price of a call were not known. Without a price, a call counts as much as the one before it; the first one as 0. */
  estimated: boolean;
}

/** Calls in an attempt at a piece of work, of all roles. */
export interface AttemptCost extends Cost {
  /** The path of the spec, the id of the chunk, or `final-review`; absent for a task, and for the planner of chunks. */
  piece?: string;
  /** From 1, in this run. */
  attempt: number;
}

/** What a run cost: all of it, and its parts. */
export interface RunCost extends Cost {
  roles: Partial<Record<AgentRole, Cost>>;
  /** By the path of a spec or the id of a chunk; `final-review` has the final review of chunks. Absent for a task. */
  pieces?: Record<string, Cost>;
  /** In the order in which they began. */
  attempts: AttemptCost[];
}

/** What a run will probably use; `unknown` if no run of the project is comparable. */
export interface Estimate {
  /** How many earlier runs it is based on: the last ones of the same kind that were done. After a single one, it is half to double of that. */
  runs: number;
  /** Input and output tokens. */
  tokens: { min: number; max: number } | 'unknown';
  /** US dollars, by `prices` or by what the earlier runs cost. */
  costUsd: { min: number; max: number } | 'unknown';
}

export interface RunResult {
  runId: string;
  /** The gates passed, every spec is verified, every chunk is shipped, or there was nothing to do. Not if no file below `specs/` can run. */
  success: boolean;
  reason: StopReason;
  message: string;
  /** How many iterations count for `maxIterations`: an unfinished one and the one that repeats it count once. */
  iterations: number;
  usage: Usage;
  cost: RunCost;
  gates: GateReport[];
  /** The requirements of a task, with the evidence of the last round of gates. */
  requirements?: Requirement[];
  snapshots: { pre?: string; post?: string };
  /**
   * The questions, with the reason `needs-clarification`; the run changed nothing. Pass the answer as the message of the next
   * run, which continues the task with both texts.
   */
  clarification?: string[];
  /**
   * The open question, with the reason `waiting`, or `done` for a pull request that no hook opened. Pass the answer as
   * `answers` of the options, with the run's id as `resume`.
   */
  questions?: Question[];
}

/**
 * A question to the user. It is asked once, and answered once: by a hook, or by any page with `answers` of the options.
 *
 * `chunks`: may the proposed chunks (`details`, an array of `Chunk`) run? `pull-request`: is the pull request (`details`, a
 * `PullRequestDraft`) opened? `allow` says that it is, both other answers that it will not be; a hook that throws leaves it open.
 * `tool`: may the agent make this call (`details`, a `ToolQuestion`)? `value` replaces its arguments. `plan`: is this plan (`details`, a
 * `PlanReport`) built? It takes no `value`. `whose`: did the user make these changes (`details`, a `WhoseQuestion`), or the call
 * during which the page was closed? `value` is `'user'` or `'agent'`, or an object with one of them for each path; without it, all are
 * the user's. An abort closes the open question.
 */
export interface Question {
  id: string;
  kind: 'plan' | 'chunks' | 'pull-request' | 'tool' | 'whose';
  text: string;
  details: unknown;
  /** When it counts as denied. */
  expiresAt?: number;
}

/**
 * `allow` goes on; `note` is a message for the builder, `value` replaces the proposed chunks or the arguments of the call, or says whose changes are. `revise`
 * asks for another plan, proposal or call, for the reason. `deny` refuses the call, and the run continues; it ends the run at a plan
 * and at proposed chunks.
 */
export type Answer = { decision: 'allow'; note?: string; value?: unknown } | { decision: 'revise' | 'deny'; reason?: string };

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

export interface UnfinishedRun {
  runId: string;
  work: Work;
  phase: Phase;
  /** The number of its last iteration; 0 before the first one. */
  iteration: number;
  at: number;
  /** The question that waits for an answer. */
  questions?: Question[];
}
