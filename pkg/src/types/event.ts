import type { ErrorCode } from '../errors.js';
import type { GateReport, VerificationResult } from './gate.js';
import type { AgentRole, Usage } from './model.js';
import type { PlanReport, ThemeContext } from './plan.js';
import type { Review, ReviewTier } from './review.js';
import type { Limits, RunOptions, RunResult } from './run.js';
import type { SnapshotInfo } from './snapshot.js';
import type { StructuredTask } from './task.js';

export type Phase = 'plan' | 'build' | 'check' | 'review' | 'accept';

/** Every event has the envelope {v, seq, at, runId}. `seq` is the journal position: a page that reloads reads on from it. */
export type RunEvent = { v: 1; seq: number; at: number; runId: string } & (
  /** `task` is what the message was taken apart to. */
  | { type: 'run-started'; work: RunOptions['work']; task?: StructuredTask }
  | { type: 'run-resumed'; repaired: string[] }
  /** The files of the task are decided; `pre` is the tag of the snapshot before it. */
  | { type: 'task-started'; task: string; pre: string | null }
  | { type: 'phase-changed'; from: Phase; to: Phase; why: string }
  | { type: 'iteration-started'; iteration: number; attempt: number; role: AgentRole; promptBytes: number }
  /** Not journaled. */
  | { type: 'text-delta' | 'reasoning-delta'; text: string }
  | { type: 'tool-call'; id: string; name: string; args: unknown }
  | { type: 'tool-result'; id: string; ok: boolean; output: string; durationMs: number; changed: string[] }
  | { type: 'file-changed'; path: string; change: 'created' | 'modified' | 'deleted'; by: 'agent' | 'harness' }
  | { type: 'write-denied'; path: string; rule: string }
  | { type: 'plan-checked'; report: PlanReport }
  /** The command of the plan's theme is about to run. */
  | { type: 'theme-started'; command: string }
  | { type: 'plan-context'; theme: ThemeContext; sections: Array<{ gumdrop: string; suggestedFile: string; found: boolean }> }
  | { type: 'plan-invalidated'; reason: string; attempt: number }
  /** The agent ended a task that needs a plan without one. */
  | { type: 'completion-refused'; feedback: string }
  | { type: 'gate-checked'; report: GateReport }
  /** All gates of a round judged; no feedback means that they passed. */
  | { type: 'gates-finished'; round: number; feedback: string | null }
  /** The harness wrote what these gates offered. */
  | { type: 'fixes-applied'; gates: string[] }
  /** Files changed after the gates judged the tree `judged`: they judge again. */
  | { type: 'evidence-outdated'; judged: string; paths: string[] }
  | { type: 'verification-checked'; result: VerificationResult }
  | { type: 'review-given'; tier: ReviewTier; review: Review }
  | { type: 'snapshot-saved'; snapshot: SnapshotInfo; durationMs: number }
  /** There is no git. */
  | { type: 'snapshot-skipped'; tag: string }
  | { type: 'snapshot-restored'; tag: string; restored: number; deleted: number; durationMs: number }
  | { type: 'stall-detected'; section?: string; marker?: string; recovery: number }
  | { type: 'budget-warning'; limit: keyof Limits; used: number; max: number }
  | { type: 'usage'; usage: Usage; total: Usage }
  /** A message of `steer` reached the agent. */
  | { type: 'steered'; message: string }
  /** A wait for the model is over. */
  | { type: 'waited'; ms: number }
  | { type: 'abort-requested'; reason: string }
  | { type: 'status'; text: string }
  | { type: 'iteration-finished'; iteration: number; toolCalls: number; filesChanged: string[] }
  | { type: 'run-finished'; result: RunResult }
  | { type: 'run-failed'; error: { code: ErrorCode; message: string } }
);
