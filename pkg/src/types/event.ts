import type { ErrorCode } from '../errors.js';
import type { Chunk, ChunkSummary, ShippedChunk } from './chunks.js';
import type { ConfigValues, ConfigWarning } from './config.js';
import type { GateReport, Requirement, VerificationResult } from './gate.js';
import type { AgentRole, Usage } from './model.js';
import type { PlanReport, ThemeContext } from './plan.js';
import type { Review, ReviewTier } from './review.js';
import type { Answer, AttemptCost, Cost, Limits, Question, RunOptions, RunResult, Work } from './run.js';
import type { FileChange, SnapshotInfo } from './snapshot.js';
import type { StructuredTask } from './task.js';

export type Phase = 'plan' | 'build' | 'check' | 'review' | 'accept';

/**
 * How an iteration ended. `stopped`: the agent stopped without claiming completion. `tool-limit`: `maxToolCallsPerIteration` was
 * reached. `budget`: no budget for another model call.
 */
export type IterationClose = 'completed' | 'waiting' | 'asked' | 'stopped' | 'tool-limit' | 'budget' | 'model-failed';

/** How the agent claimed completion: with `complete_task`, in `.ralph/status.txt`, or by an answer without a tool call. */
export type CompletionSignal = 'tool' | 'status' | 'answer';

/** A spec that can run. */
export interface SpecInfo {
  /** Relative to the project. */
  path: string;
  title: string;
}

/** A file below `specs/` that does not run. */
export interface SkippedSpec {
  path: string;
  reason: string;
  done?: boolean;
}

/** An implementation of a spec: `commit` is its snapshot, `tree` the git tree that the verdict is bound to, `plan` a hash. */
export interface Candidate {
  version: number;
  spec_rel: string;
  spec_id: string;
  commit: string;
  tree: string;
  plan: string;
  created_at_utc: string;
}

/** The state of the plan of a spec, which `specs/plans/<spec>.json` has. `feedback`: what the implementer must fix. */
export interface PlanState {
  version: number;
  spec_rel: string;
  spec_id: string;
  status: 'drafting' | 'active' | 'invalidated';
  created_at_utc: string;
  invalidated_at_utc: string | null;
  invalidation_reason: string | null;
  attempt: number;
  feedback?: string;
  /** The plan was written by hand, so it is not part of the spec's commit. */
  adopted?: boolean;
}

/** A fault of the host. */
export interface Fault {
  code: ErrorCode;
  message: string;
  /** Whether the same call may succeed later; absent: it may not. */
  kind?: 'rate-limited' | 'unavailable' | 'timeout';
  /** The delay that the service asks for, in milliseconds. */
  retryAfterMs?: number;
  /** A resumed run repeats the step, which may succeed then. */
  retryable?: boolean;
}

/** A change of a file. `before` and `after` are the modes and the ids of git, such as `100644 ce01…`; absent for no file. */
export interface FileWrite {
  path: string;
  /** Where a moved file was. */
  from?: string;
  before?: string;
  after?: string;
}

/** What a run begins with. `kind` is the kind of its work, and decides the other fields. */
export type RunStarted = { type: 'run-started'; limits: RunLimits; notes?: string[] } & (
  | { kind: 'task'; work: WorkOf<'task'>; taskNumber: number; plan: NonNullable<RunOptions['plan']>; task: StructuredTask }
  /** `skipped`: the other files below `specs/`. */
  | { kind: 'spec'; work: WorkOf<'spec'>; task?: undefined; specs: SpecInfo[]; skipped: SkippedSpec[] }
  /** Without `chunks`, a planner proposes them. */
  | { kind: 'chunks'; work: WorkOf<'chunks'>; task?: undefined; title: string; chunks?: Chunk[] }
);
type WorkOf<Kind extends Work['kind']> = Extract<Work, { kind: Kind }>;

/** The limits that a run has; those without a default are there if they are set. */
export type RunLimits = Omit<Limits, 'maxIterations' | 'maxTokens' | 'maxCostUsd' | 'perTask' | 'perDay' | 'maxWallMs'> & Partial<Limits> & {
  /** How often a refused model call is repeated, at most. */
  maxRetries: number;
  /** How many snapshots of iterations are kept. */
  iterationSnapshots: number;
};

/**
 * Every event has the envelope {v, seq, at, runId, lease}. `seq` is the journal position: a page that reloads reads on from it.
 * `lease` is the number of the holder of the project: each start and resume has a higher one.
 * `feedback` is the new text of `.ralph/feedback.md`, which the agent reads.
 */
export type RunEvent = { v: 1; seq: number; at: number; runId: string; lease: number } & (
  /**
   * A task has `taskNumber`, `plan`, `notes` (for the user, such as missing ports) and `task`, the parsed message. A run over specs
   * has `specs`, in the order in which it works on them, and `skipped`. A run over chunks has the `title` of the spec, and
   * `chunks`, unless a planner must propose them. Notes are absent if there are none.
   */
  | RunStarted
  /** The page that resumed the run has other limits. */
  | { type: 'limits-changed'; limits: RunLimits }
  /** The configuration that the run works with from here on; `config` is its hash. Read at the start and at a resume. Absent if nothing is configured. */
  | { type: 'config-loaded'; config: string; settings: ConfigValues }
  /**
   * The state of a spec is read and repaired. `attempt` is the number of its plan, or of the plan to write. `planned`: the plan is
   * used. `fresh`: no run worked on the spec before. `reason` and `archive`: why the last plan is void, and its number. `candidate` is verified first. `state`: the state of its plan. `base` is the tag of
   * the project before the spec, `baseCommit` its commit if an earlier run saved it, `logs` the folder of its logs.
   */
  | { type: 'spec-started'; spec: string; attempt: number; planned: boolean; reason?: string; archive?: number; candidate?: Candidate; state?: PlanState; base: string; baseCommit?: string; fresh?: boolean; earlier?: ({ by: 'agent' | 'harness' | 'user' } & FileWrite)[]; logs: string; repaired: string[] }
  /** The planner may work. */
  | { type: 'plan-prepared' }
  | { type: 'plan-accepted'; attempt: number }
  /** An attempt ended without a result; `feedback` is for the next one. */
  | { type: 'attempt-failed'; role: AgentRole; feedback: string }
  /** The working tree is saved as an implementation of the spec. `verifies`: the configured commands judge it before the verifier. */
  | { type: 'candidate-recorded'; candidate: Candidate; verifies?: boolean }
  /** The user changed files during the verification; it is repeated. */
  | { type: 'candidate-outdated'; paths: string[] }
  /** The verifier's answer has no readable verdict. It is asked for once more; after that, the run rejects, and a resume verifies again. */
  | { type: 'verdict-unreadable'; reason: string }
  /** `findings` are what to fix, or the verifier's notes if it accepted. */
  | { type: 'verdict-given'; verdict: 'accept' | 'fix' | 'invalidate_plan'; reason: string; findings: string[]; feedback: string }
  /** The log of a role in an attempt is written, up to its last iteration. */
  | { type: 'log-written'; path: string }
  /** The spec is verified; `tag` is the project after it. `commit` is on `branch`, with `git.commit` of the configuration. */
  | { type: 'spec-finished'; spec: string; tag: string; commit?: string; branch?: string }
  /**
   * HEAD is on `branch`, to which the next spec is committed. `baseBranch` is the branch from which it started, `head` HEAD's commit.
   * `dirty`: the files that differ from HEAD; no commit of the run has them.
   */
  | { type: 'branch-prepared'; branch: string; baseBranch?: string; head?: string; dirty: string[] }
  | { type: 'chunks-proposed'; chunks: Chunk[] }
  /** The planner's answer has no usable chunks; it is asked again with `feedback`. */
  | { type: 'proposal-rejected'; feedback: string }
  | { type: 'chunks-approved'; chunks: Chunk[] }
  /**
   * What earlier runs over the spec left is read: from `state.json`, and from the branch, whose commits name their chunks.
   * `beginning`: the user's branch and HEAD's commit before the first chunk. `finished`: HEAD's commit when all was done.
   */
  | { type: 'state-read'; branch: string; beginning: { branch: string | null; commit: string | null }; shipped: Record<string, ShippedChunk>; failed: Record<string, { reason: string; feedback: string }>; finished?: string; repaired: string[] }
  /**
   * HEAD is on `branch`. `baseBranch` is the user's branch, `base` HEAD's commit before the first chunk of the spec, `head` HEAD's
   * commit, `tag` the project before the run. `shipped`: the chunks of earlier runs, by id. `dirty`: the files that differ from
   * HEAD; no commit of the run has them. `finished`: nothing is left to do.
   */
  | { type: 'run-prepared'; branch: string; baseBranch?: string; base?: string; head?: string; tag: string; shipped: Record<string, ShippedChunk>; dirty: string[]; finished?: boolean; repaired: string[] }
  /** `config` is the hash of the configuration that the chunk works with to its end. `feedback`: what an earlier run found wrong. */
  | { type: 'chunk-started'; chunk: string; settings: ConfigValues; config: string; feedback?: string }
  /** `attempt` counts in this run; `folder` has the record of the attempt; `base` is the tag of the project before it. `verifies`: the verification judges everything before the final review. */
  | { type: 'attempt-started'; attempt: number; folder: string; base: string; head?: string; verifies?: boolean }
  /** The user committed on the branch. The commits of the run follow `to`. */
  | { type: 'branch-moved'; from: string | null; to: string }
  /** The executor is done; `tag` is the project with its changes. `ignored`: new files that git ignores; they are reviewed, and not committed. */
  | { type: 'attempt-recorded'; tag: string; files: FileChange[]; ignored?: string[] }
  /** `feedback`: what the builder must fix; null if the verification passed or is not configured. `drift`: files that the steps changed; the changes are discarded. */
  | { type: 'verification-finished'; feedback: string | null; warnings: string[]; drift: string[] }
  /** A step could not run. The run rejects; a resume verifies the unchanged work again. */
  | { type: 'verification-inconclusive'; reason: string }
  /** The reviewer's answer has no readable verdict. The reviewer is asked once more. */
  | { type: 'review-unreadable'; tier: ReviewTier; reason: string }
  /** The attempt is rejected before any review. */
  | { type: 'attempt-rejected'; feedback: string }
  /**
   * The changes of the attempt are taken back; `patch` is the file with them. `conflicts`: files in which the user changed the same
   * lines; they are as the user left them.
   */
  | { type: 'attempt-reverted'; attempt: number; patch?: string; restored: string[]; deleted: string[]; conflicts?: string[] }
  | { type: 'chunk-committed'; chunk: string; commit: string; files: FileChange[] }
  | { type: 'summary-written'; chunk: string; summary: ChunkSummary }
  /** The attempts are used up. `blocked`: the chunks that cannot run, each with the one that it waits for. */
  | { type: 'chunk-failed'; chunk: string; reason: string; blocked: Array<[chunk: string, waitsFor: string]> }
  /** The draft is in the file `path`; the user is asked next. */
  | { type: 'pull-request-drafted'; path: string }
  /** `plan` is the hash of the plan on disk. */
  /** `closed`: when the page before was alive last, by its journal and its lease; files with a later time are the user's. */
  | { type: 'run-resumed'; repaired: string[]; plan: string | null; closed?: number }
  /**
   * `task`, `origin` and `history` are the texts of `.ralph/task.md`, `.ralph/origin.md` and `.ralph/task-history.md`. `plan` is
   * the hash of the plan on disk; `stalePlan` is the hash of a plan from before the task. `appliedTheme` is the command of the
   * project's theme, empty if none is known. `pre` is the tag of the snapshot before the task. `keptTheme` is the command of
   * the theme that the task must keep, empty for styles that did not come from a plan. `wasEmpty`: the project had no files. `planDue`: the task needs a plan of its own.
   * `unaccepted`: the plan on disk is the last task's, and never opened BUILD.
   */
  | { type: 'task-started'; task: string; origin: string; history: string; plan: string | null; stalePlan: string | null; appliedTheme: string; keptTheme?: string; wasEmpty?: boolean; planDue?: boolean; unaccepted?: boolean; pre: string | null }
  /** `why` may be empty. */
  | { type: 'phase-changed'; from: Phase; to: Phase; why: string }
  /**
   * A context of a model begins. `iteration` is its number, which no other one of the run has. `attempt`: the try at the present chunk,
   * spec or task that it is part of, as in `usage`; it grows with each rejection. `model`: the requested one; absent for the host's main model.
   */
  | { type: 'iteration-started'; iteration: number; attempt: number; role: AgentRole; promptBytes: number; model?: string }
  /** Not journaled. `answer` is the number of the answer, which `model-answered` repeats. */
  | { type: 'text-delta' | 'reasoning-delta'; text: string; answer: number }
  /** A piece of the arguments of a call that the model writes, without secrets; the first one may be empty. Not journaled. */
  | { type: 'tool-delta'; id: string; name: string; text: string; answer: number }
  /**
   * An answer of the model in an iteration; its calls follow. `answer` grows in a run; an answer that broke off, and is
   * asked for again, has a number of its own and no event. `text` is empty if the answer only has calls. `reasoning` is the length of the streamed reasoning in bytes.
   */
  | { type: 'model-answered'; answer: number; text: string; reasoning: number; model?: string; usage: Usage }
  /** The run asks the user, through a hook or `RunResult.questions`. */
  | { type: 'question-asked'; question: Question }
  | { type: 'question-answered'; id: string; answer: Answer }
  /** The host has no hook for the question. It stays open: see `answers` of the options. */
  | { type: 'question-unanswered'; id: string }
  | { type: 'tool-call'; id: string; name: string; args: unknown; providerData?: unknown }
  | { type: 'tool-result'; id: string; ok: boolean; output: string; durationMs: number; changed: string[] }
  /** These files are about to be written. */
  | { type: 'write-started'; writes: FileWrite[]; by: 'agent' | 'harness' }
  /**
   * A file of the project changed. `by: 'harness'`: by the theme's command, a build (`build.writes`), an applied fix, or taking an attempt back.
   * `before` and `after` are the modes and the ids of git; absent for no file, and without git. `from`: where a moved file was.
   */
  | ({ type: 'file-changed'; change: 'created' | 'modified' | 'deleted'; by: 'agent' | 'harness' } & FileWrite)
  /** The user changed these files since the run looked last. If `before` and `after` are equal, `run.edited` says that an unclear change is the user's. */
  | { type: 'user-changed'; files: Array<{ path: string; change: 'created' | 'modified' | 'deleted'; from?: string; before?: string; after?: string }> }
  /**
   * The page was closed during a call (`what`, made `by`), and the call or the user changed these files. They stay. `whose`: they count
   * as the user's, or a question of kind `whose` comes before something depends on it.
   */
  | { type: 'changes-unclear'; what: string; by: 'agent' | 'harness'; whose: 'user' | 'ask' | 'agent'; files: Array<{ path: string; change: 'created' | 'modified' | 'deleted'; from?: string; before?: string; after?: string }> }
  /**
   * A call begins that may change any file: a command, a tool or a hook of the IDE. What changes until its end counts as its work.
   * `undone`: it is taken back. `head`: the commit of HEAD, which the call may not move.
   */
  | { type: 'unguarded-started'; what: string; by: 'agent' | 'harness'; undone?: boolean; head?: string }
  | { type: 'unguarded-ended' }
  /** `run.edited` names these files and folders during the call. They stay the user's if the page is closed then. */
  | { type: 'user-edits'; paths: string[] }
  /** The harness wrote its own files in `.ralph/`; one event per step. */
  | { type: 'harness-files-changed'; paths: string[] }
  /** `undone`: what a command or a tool changed past the guard, and the harness took back. */
  | { type: 'write-denied'; path: string; rule: string; undone?: 'created' | 'modified' | 'deleted' }
  /** `plan` is the hash of the checked plan. `accepted`: it is valid, and no approval is due. `asks`: it is valid, and the user decides next. */
  | { type: 'plan-checked'; report: PlanReport; plan: string | null; accepted: boolean; asks?: boolean; feedback: string }
  /** The command of the plan's theme is about to run. */
  | { type: 'theme-started'; command: string }
  /** The theme and the recipes of the accepted plan are loaded: BUILD starts. */
  | { type: 'plan-context'; theme: ThemeContext; sections: Array<{ gumdrop: string; suggestedFile: string; found: boolean }>; feedback: string }
  /** The verifier found the plan of a spec wrong; it is archived with the number `attempt`. */
  | { type: 'plan-invalidated'; reason: string; attempt: number }
  /** The agent ended a task that needs a plan without one. */
  | { type: 'completion-refused'; feedback: string }
  | { type: 'gate-checked'; report: GateReport }
  /** `feedback` is null if all gates of the round passed. */
  | { type: 'gates-finished'; round: number; feedback: string | null; requirements?: Requirement[] }
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
  /** 80 % of a limit are spent: once in a run for each limit. */
  | { type: 'budget-warning'; limit: keyof Limits; used: number; max: number }
  /** The run waits until this time (milliseconds since the epoch), because of `reason`, and then makes the try `attempt` of `of`. See `run.retryNow()`. */
  | { type: 'wait-started'; until: number; reason: string; attempt: number; of: number }
  /** What other runs spent, in a run with a limit for a task or a day: dollars by day (UTC) and by task or spec; `call` is their average call. */
  | { type: 'spending-read'; before: { days: Record<string, number>; subjects: Record<string, number>; call: number } }
  /** A call of a model. `total` and `cost` are for the run so far, `ofAttempt` is the cost of the present attempt so far. */
  | { type: 'usage'; usage: Usage; total: Usage; model?: string; role: AgentRole; cost: Cost; ofAttempt: AttemptCost }
  /** The conversation did not fit the model's context window: results of calls were cut, turns summarized. Sizes in tokens, estimated. */
  | { type: 'context-shortened'; before: number; after: number; results: number; turns: number }
  /** The `providerData` of an answer's message. */
  | { type: 'provider-data'; model?: string; data: unknown }
  /** A message of `steer` reached the agent. */
  | { type: 'steered'; message: string }
  /** A wait before the next model call is over. */
  | { type: 'waited'; ms: number }
  | { type: 'abort-requested'; reason: string }
  /** The configuration has something that is not used, such as an unknown key. */
  | { type: 'config-warning'; warning: ConfigWarning }
  | { type: 'status'; text: string }
  /**
   * `signal` is how the agent claimed completion. `worked`: it changed the project's sources. `plan` is the hash of the plan on
   * disk, null if it is absent or blank. `tree` is a digest of the files that changed since the task began, empty if none did.
   * `answer` is what a role of a spec or a chunk answered. `fault` is the model's error.
   */
  | { type: 'iteration-finished'; iteration: number; toolCalls: number; filesChanged: string[]; close: IterationClose; signal?: CompletionSignal; worked: boolean; plan: string | null; tree: string; answer?: unknown; fault?: Fault }
  | { type: 'run-finished'; result: RunResult }
  | { type: 'run-failed'; error: Fault }
);
