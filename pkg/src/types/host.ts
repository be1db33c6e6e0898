import type { Chunk, PullRequestDraft } from './chunks.js';
import type { AsyncFsPort, FsPort } from './fs.js';
import type { GitPort } from './git.js';
import type { MaybePromise } from './maybe-promise.js';
import type { AgentRole, Image, ModelPort, Usage } from './model.js';
import type { PlanReport, Registry } from './plan.js';
import type { Phase } from './event.js';

/** The ports of the IDE. */
export interface Host {
  /** A call of `fs` or `git` that does not settle within 60 seconds, by the page's timers, is an error. */
  fs: FsPort;
  /** Without git, `snapshot` rejects, and runs save nothing. */
  git?: GitPort;
  dir: string;
  /** Required by `runLoop`, except for runs whose configuration names a model for each role. */
  model?: ModelPort;
  /** By the ids of `tools.executors|planners|reviewers` in the configuration, which `defaults` selects for each role. A tool that needs a process or a server is an adapter here. */
  models?: Record<string, ModelPort>;
  shell?: ShellPort;
  build?: BuildPort;
  preview?: PreviewPort;
  /** Build instructions for sections. If the function fails or takes more than 15 seconds, the run continues without that recipe. */
  recipes?: Recipe[] | ((id: string) => MaybePromise<Recipe | null>);
  /** Default: the built-in React UI registry. */
  registry?: Registry;
  /** Tools of the IDE, in addition to the built-in ones. */
  tools?: Tool[];
  /** Gates of the IDE, in addition to the built-in ones. */
  gates?: Gate[];
  hooks?: Hooks;
  /**
   * Allows one run per project across tabs. Default: `navigator.locks`, if the browser has it. The run renews the
   * file `.loopgate/lease` every 5 seconds; without locks, it expires after 30 seconds.
   *
   * The lock is named after `dir`. If several projects have the same `dir`, pass locks that add the project to the name. If
   * other browsers or computers can also write the project, pass locks that they share.
   */
  locks?: Pick<LockManager, 'request'>;
  /**
   * The cost of answers without `usage.costUsd`, in US dollars: a table by model id, or a function. `limits.maxCostUsd` requires
   * it. A run with that limit stops before the next call if the cost of an answer is not known. Pass `{}` if all answers have
   * `costUsd`.
   *
   * An id also covers its dated versions (`gpt-5` covers `gpt-5-2026-08-07`). An answer without a model id costs as much as with
   * the most expensive entry. The cost is unknown if the function throws or does not return a number from 0.
   */
  prices?: Record<string, Price> | ((usage: Usage, model?: string) => number | undefined);
  now?(): number;
  /**
   * Values that never appear in events, journals, records and errors of runs, of at least eight characters each. Files of the project
   * and messages to the model keep them. The keys and headers of the package's own adapters and keys that look like the keys of common services
   * are taken out, too. Add the key of a model that is a function of your own, also if it calls an adapter.
   */
  secrets?: string[];
  /**
   * Seals the harness's state (journal, lease, redo log), so that state from elsewhere is recognised. Default: one that the package
   * keeps outside the project: in IndexedDB for each origin, in Node.js in `$XDG_STATE_HOME/loopgate/state-key` for each user
   * (default: `~/.local/state`; on Windows, `%LOCALAPPDATA%`). If neither can be kept, the state ends with the page.
   *
   * At least 16 secret bytes. Only pages with the same key can resume a run.
   */
  stateKey?: Uint8Array;
  /**
   * What distinguishes this project from the user's others: state that is copied from another one is state from elsewhere. Default: `dir`.
   * Pass an id that stays if projects share a `dir` (each at `/project` in a store of its own), or if the folder of a project may move.
   */
  projectId?: string;
}

/** US dollars per million tokens. Kinds of tokens without a price cost as much as other input or output. */
export interface Price {
  inputPerMillion: number;
  outputPerMillion: number;
  cachedInputPerMillion?: number;
  cacheWritePerMillion?: number;
  reasoningPerMillion?: number;
}

export interface ShellPort {
  /** `exitCode` is an integer from 0 to 255; for a killed process, 128 plus the number of the signal. Another value is an error of the port. */
  execute(command: string, options: { cwd: string; signal: AbortSignal; timeoutMs: number }): MaybePromise<{ exitCode: number; stdout: string; stderr: string }>;
  /** For the model: which commands the shell supports. */
  describe?(): string;
}

/** A command for the IDE's shell. `args` are the words after its name. Wrong input gives an exit code. */
export interface ShellCommand {
  readonly name: string;
  execute(args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
}

export interface BuildPort {
  (options: { signal: AbortSignal }): MaybePromise<{ success: boolean; errors: BuildMessage[]; warnings: BuildMessage[] }>;
  /** The files that a build writes, as patterns of a `.gitignore`. What else changes during a build is the user's. */
  writes?: string[];
}

export interface BuildMessage {
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

export interface PreviewPort {
  runtimeErrors(): MaybePromise<BuildMessage[]>;
  console?(): MaybePromise<Array<{ level: string; message: string }>>;
}

/** Markdown with YAML front matter; a section's recipe has the id `gumdrop-<name>`. */
export interface Recipe {
  id: string;
  content: string;
}

/** A tool of the IDE. `fs` is guarded by the same rules as the agent's writes. */
export interface Tool {
  name: string;
  description: string;
  parameters: object;
  writes?: boolean;
  /** It changes nothing, so reviewers and planners that only read have it as well. Its `fs` denies writes to them. What changes while it runs is the user's. */
  readOnly?: boolean;
  /** At most 10 `images` of 3.75 MB each. A model without `images` gets a line for each. Events and journals have that line, too. */
  execute(args: any, context: { signal: AbortSignal; fs: AsyncFsPort; dir: string }): MaybePromise<string | { ok: boolean; output: string; images?: Image[] }>;
}

/** A gate of the IDE. `fs` is read-only. */
export interface Gate {
  name: string;
  description: string;
  check(context: { fs: AsyncFsPort; dir: string; signal: AbortSignal; phase: Phase }): MaybePromise<{ pass: boolean; feedback?: string }>;
}

/** A call that waits for the user's approval: the `details` of a question of kind `tool`. */
export interface ToolQuestion {
  name: string;
  args: unknown;
  role: AgentRole;
  phase: Phase;
  /** The key of the policy's rule, with its place, or `beforeTool` with its reason. */
  why: { rule: string; reason?: string; decision?: 'ask'; file?: string; line?: number };
}

/** Changes that a call or the user made while the page was closed: the `details` of a question of kind `whose`. */
export interface WhoseQuestion {
  files: Array<{
    path: string;
    change: 'created' | 'modified' | 'deleted';
    /** The name of the call during which the page was closed. */
    what: string;
  }>;
}

export interface Hooks {
  /**
   * `ask` asks the user, for the reason; `revise` refuses the call and asks the agent for another one. `note` is a message for the agent.
   * A hook that throws or is aborted means `deny`.
   */
  beforeTool?(call: { name: string; args: unknown; phase: Phase }): MaybePromise<{ decision: 'allow' | 'ask' | 'revise' | 'deny'; reason?: string; note?: string; args?: unknown }>;
  /**
   * A call that a rule with `ask`, or `beforeTool`, makes a question of. It may wait for the user as long as it takes. Without this hook the
   * run ends as `waiting`, and `answers` of the options answer in any page. An answer counts for equal calls until the run ends.
   * A hook that throws leaves the question open, and the run waits.
   */
  approveTool?(call: ToolQuestion): MaybePromise<{ decision: 'allow' | 'revise' | 'deny'; reason?: string; note?: string; args?: unknown }>;
  /** What `beforeTool` and `afterTool` change is the agent's around a call that may change files, and the user's around one that only reads. */
  afterTool?(call: { name: string; args: unknown; ok: boolean; output: string }): MaybePromise<void>;
  /**
   * A valid plan, before it is built. `revise` and `deny` send it back, for the reason; `ask` leaves the question open, and the run waits.
   * A hook that throws leaves the question open, too.
   */
  approvePlan?(report: PlanReport): MaybePromise<{ decision: 'allow' | 'revise' | 'deny' | 'ask'; reason?: string; note?: string }>;
  /**
   * Chunks that the planner proposed, before anything runs; `chunks` replaces them. `revise` asks the planner again, for the reason.
   * A hook that throws leaves the question open, and the run waits.
   */
  approveChunks?(chunks: Chunk[]): MaybePromise<{ decision: 'allow' | 'revise' | 'deny'; reason?: string; note?: string; chunks?: Chunk[] }>;
  /**
   * Changes that the agent's call or the user made while the page was closed. `value` is the author of all files, or of each; a file
   * that it does not name is the user's.
   */
  whose?(changes: WhoseQuestion): MaybePromise<{ decision: 'allow' | 'deny'; value?: 'user' | 'agent' | Record<string, 'user' | 'agent'> }>;
  /** After the final review of a run over chunks: open a pull request. If it throws, the draft stays in `pull-request.md`. */
  pullRequest?(draft: PullRequestDraft): MaybePromise<void>;
}
