import type { ErrorCode } from '../errors.js';
import type { GateReport, VerificationResult } from './gate.js';
import type { AgentRole, Usage } from './model.js';
import type { PlanReport, ThemeContext } from './plan.js';
import type { Review, ReviewTier } from './review.js';
import type { Limits, RunOptions, RunResult } from './run.js';
import type { SnapshotInfo } from './snapshot.js';
import type { StructuredTask } from './task.js';

export type Phase = 'plan' | 'build' | 'check' | 'review' | 'accept';

/**
 * How an iteration ended. `stopped`: the agent stopped without claiming completion. `tool-limit`: `maxToolCallsPerIteration` was
 * reached. `budget`: no budget for another model call.
 */
export type IterationClose = 'completed' | 'waiting' | 'stopped' | 'tool-limit' | 'budget' | 'model-failed';

/** How the agent claimed completion: with `complete_task`, in `.ralph/status.txt`, or by an answer without a tool call. */
export type CompletionSignal = 'tool' | 'status' | 'answer';

/** A fault of the host. */
export interface Fault {
  code: ErrorCode;
  message: string;
  /** Whether the same call may succeed later; absent: it may not. */
  kind?: 'rate-limited' | 'unavailable' | 'timeout';
  /** The delay that the service asks for, in milliseconds. */
  retryAfterMs?: number;
}

/**
 * Every event has the envelope {v, seq, at, runId, lease}. `seq` is the journal position: a page that reloads reads on from it.
 * `lease` is the number of the holder of the project: each start and resume has a higher one.
 * `feedback` is the new text of `.ralph/feedback.md`, which the agent reads.
 */
export type RunEvent = { v: 1; seq: number; at: number; runId: string; lease: number } & (
  /** `task` is the parsed message. `notes` are for the user, such as missing ports. */
  | { type: 'run-started'; work: RunOptions['work']; taskNumber: number; plan: NonNullable<RunOptions['plan']>; task?: StructuredTask; notes: string[] }
  /** `plan` is the hash of the plan on disk. */
  | { type: 'run-resumed'; repaired: string[]; plan: string | null }
  /**
   * `task`, `origin` and `history` are the texts of `.ralph/task.md`, `.ralph/origin.md` and `.ralph/task-history.md`. `plan` is
   * the hash of the plan on disk; `stalePlan` is the hash of a plan from before the task. `appliedTheme` is the command of the
   * project's theme, empty if none is known. `pre` is the tag of the snapshot before the task. `keptTheme` is the command of
   * the theme that the task must keep, empty for styles that did not come from a plan. `wasEmpty`: the project had no files.
   */
  | { type: 'task-started'; task: string; origin: string; history: string; plan: string | null; stalePlan: string | null; appliedTheme: string; keptTheme?: string; wasEmpty?: boolean; pre: string | null }
  | { type: 'phase-changed'; from: Phase; to: Phase; why: string }
  | { type: 'iteration-started'; iteration: number; attempt: number; role: AgentRole; promptBytes: number }
  /** Not journaled. */
  | { type: 'text-delta' | 'reasoning-delta'; text: string }
  | { type: 'tool-call'; id: string; name: string; args: unknown; providerData?: unknown }
  | { type: 'tool-result'; id: string; ok: boolean; output: string; durationMs: number; changed: string[] }
  /** A file of the project changed. `by: 'harness'`: by the theme's command or an applied fix of a gate. */
  | { type: 'file-changed'; path: string; change: 'created' | 'modified' | 'deleted'; by: 'agent' | 'harness' }
  /** The harness wrote its own files in `.ralph/`; one event per step. */
  | { type: 'harness-files-changed'; paths: string[] }
  | { type: 'write-denied'; path: string; rule: string }
  /** `plan` is the hash of the checked plan. `accepted`: it is valid and `approvePlan` allows it. */
  | { type: 'plan-checked'; report: PlanReport; plan: string | null; accepted: boolean; feedback: string }
  /** The command of the plan's theme is about to run. */
  | { type: 'theme-started'; command: string }
  /** The theme and the recipes of the accepted plan are loaded: BUILD starts. */
  | { type: 'plan-context'; theme: ThemeContext; sections: Array<{ gumdrop: string; suggestedFile: string; found: boolean }>; feedback: string }
  | { type: 'plan-invalidated'; reason: string; attempt: number }
  /** The agent ended a task that needs a plan without one. */
  | { type: 'completion-refused'; feedback: string }
  | { type: 'gate-checked'; report: GateReport }
  /** `feedback` is null if all gates of the round passed. */
  | { type: 'gates-finished'; round: number; feedback: string | null }
  /** The harness applied the fixes that these gates proposed. */
  | { type: 'fixes-applied'; gates: string[] }
  /** Files changed after the gates judged the tree `judged`: the gates run again. */
  | { type: 'evidence-outdated'; judged: string; paths: string[] }
  | { type: 'verification-checked'; result: VerificationResult }
  | { type: 'review-given'; tier: ReviewTier; review: Review }
  | { type: 'snapshot-saved'; snapshot: SnapshotInfo; durationMs: number }
  /** The host has no git. */
  | { type: 'snapshot-skipped'; tag: string }
  | { type: 'snapshot-restored'; tag: string; restored: number; deleted: number; durationMs: number; feedback: string }
  /** `section` and `marker` name the part of the plan without progress. `isLast`: this stall ends the task (`maxStallRecoveries`). */
  | { type: 'stall-detected'; section?: string; marker?: string; recovery: number; isLast: boolean; feedback: string }
  | { type: 'budget-warning'; limit: keyof Limits; used: number; max: number }
  | { type: 'usage'; usage: Usage; total: Usage; model?: string }
  /** The `providerData` of an answer's message. */
  | { type: 'provider-data'; model?: string; data: unknown }
  /** A message of `steer` reached the agent. */
  | { type: 'steered'; message: string }
  /** A wait before the next model call is over. */
  | { type: 'waited'; ms: number }
  | { type: 'abort-requested'; reason: string }
  | { type: 'status'; text: string }
  /**
   * `signal` is how the agent claimed completion. `worked`: it changed the project's sources. `plan` is the hash of the plan on
   * disk, null if it is absent or blank. `tree` is a digest of the files that changed since the task began, empty if none did.
   * `fault` is the model's error.
   */
  | { type: 'iteration-finished'; iteration: number; toolCalls: number; filesChanged: string[]; close: IterationClose; signal?: CompletionSignal; worked: boolean; plan: string | null; tree: string; fault?: Fault }
  | { type: 'run-finished'; result: RunResult }
  | { type: 'run-failed'; error: Fault }
);
