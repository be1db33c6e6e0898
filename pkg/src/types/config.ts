import type { Phase } from './event.js';
import type { Price } from './host.js';
import type { AgentRole } from './model.js';
import type { Diagnostic } from './plan.js';
import type { ReviewTier } from './review.js';
import type { Limits } from './run.js';

/** A layer of the configuration, with the nested shape of the YAML. `null` inherits. */
export type ConfigLayer = LayerOf<Omit<Known<ConfigValues>, 'tools' | 'verification'>> & {
  tools?: LayerOf<Omit<ConfigValues['tools'], 'reviewers'>> & { reviewers?: Array<Optional<ConfigReviewer, 'checks'>> | null } | null;
  verification?: { enabled?: boolean | null; steps?: Array<Optional<ConfigValues['verification']['steps'][number], 'required' | 'timeoutMs'>> | null } | null;
};

type LayerOf<T> = { [K in keyof T]?: (NonNullable<T[K]> extends readonly unknown[] | string | number | boolean ? T[K] : LayerOf<T[K]>) | null };
type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

export type ConfigLayerName = 'default' | 'global' | 'project' | 'spec';

export interface Config {
  /** The merged layers with defaults and unknown keys. */
  readonly values: ConfigValues;
  readonly warnings: ConfigWarning[];
  /** Where the values that are not defaults are set, by dotted key; for `explainConfig`. */
  readonly origins: Record<string, { layer: ConfigLayerName; line?: number; column?: number }>;
}

/**
 * `unknown-key`, `not-narrower` for what the project's file may not change of the text that the IDE passes, or `invalid-layer` for a layer
 * that `lenient` leaves out. Without a text, line and column are 1.
 */
export interface ConfigWarning extends Diagnostic {
  id: 'unknown-key' | 'unused-steps' | 'not-narrower' | 'invalid-layer';
  /** The path in the project, if the layer is a file. */
  file?: string;
}

/** `file` and `line` are in the layer that sets the value; `value` is `null` for a known key without a value. */
export interface ConfigExplanation {
  value: unknown;
  layer: ConfigLayerName;
  file?: string;
  line?: number;
}

export interface ConfigValues {
  tools: { executors: ConfigExecutor[]; planners: ConfigPlanner[]; reviewers: ConfigReviewer[] };
  /** The ids of tools: of `executors`, `planners`, `reviewers`, or any of them (verifier, summarizer, parser). Without an id, a role has `host.model`. */
  defaults: {
    executor?: string;
    planner?: string;
    verifier?: string;
    quickReviewer?: string;
    /** Absent: the final reviewer. */
    deepReviewer?: string;
    finalReviewer?: string;
    summarizer?: string;
    /** Parses the message of a task. */
    parser?: string;
    /** Attempts per chunk, from 1 to 20; default: 5. */
    maxIterations: number;
    /** Repetitions of a model call that fails in a row; default: 5. A call without an answer in time is repeated once at most. */
    maxRetries: number;
    /** Whether a failed chunk ends the run; default: chunks that do not depend on it go on. */
    stopOnFailure: boolean;
  };
  /** For everyone who plans, builds or judges. */
  rules: string[];
  verification: { enabled: boolean; steps: { name: string; command: string; required: boolean; timeoutMs: number }[] };
  /** Which tiers are on in a run over chunks; default: all. `task`, `spec`: the tier whose reviewer judges such work; default: `off`. */
  reviews: { quick: boolean; deep: boolean; final: boolean; task: ReviewTier | 'off'; spec: ReviewTier | 'off' };
  summaries: { enabled: boolean };
  gates: { only?: string[]; disabled: string[]; raise: string[] };
  /** Files and folders that the agent may not write: short for rules of `policy`. The lists of the layers add to each other. */
  guard: { deny: string[] };
  /** What the agent may not do. The lists of the layers add to each other; the last rule that fits decides. */
  policy: PolicyRule[];
  /**
   * `plan`: the user approves the plan of a task before it is built; default: false. A question is open for `expiresAfterMs`; default: no limit.
   * `whose`: whose the changes are that a call or the user made while the page was closed; default: `user` for tasks and specs, `ask` for chunks.
   */
  approvals: { plan: boolean; expiresAfterMs?: number; whose?: 'user' | 'ask' | 'agent' };
  /** `commit`: a run over specs commits each verified spec; default: false. */
  git: { branch: 'spec' | 'current'; base?: string; after: 'stay' | 'return'; commit: boolean };
  snapshots: { iterations: number };
  /** How many runs `listRuns` and `followRun` still have; those that can continue, and those that the next run reads, remain as well. Default: 50. */
  runs: { keep: number };
  /** The records of iterations, of all runs; 0: none. Default: 200. */
  records: { iterations: number };
  /** Stored attempts per chunk; absent: all. */
  iterations: { keep?: number };
  limits: Partial<Limits>;
  /** US dollars per million tokens, by model. */
  models: Record<string, Price>;
  /** Unknown keys. */
  [key: string]: any;
}

/**
 * A rule. Absent conditions hold for every call. A rule of the project's file only narrows the other layers, and no rule lifts
 * the harness's own guard.
 */
export interface PolicyRule {
  /** `ask` asks the user about each call, and denies where nobody can be asked (other tools' file systems, fixes of gates). */
  decision: 'allow' | 'ask' | 'deny';
  /** A tool's name; `*` is any text. */
  tool?: string;
  /** As in a `.gitignore`: `migrations/**`, `*.sql` in any folder, `/package.json`. Covers what is below it. */
  path?: string;
  /** With `path`: `read` is reading and writing; default: `write`. */
  access?: 'read' | 'write';
  /** For each command of a shell line: `git push` covers `git push origin`; `*` is any text. */
  command?: string;
  role?: 'builder' | 'planner' | 'verifier' | 'reviewer';
  phase?: Phase;
  /** For the model. */
  reason?: string;
  /** The key that has the rule, and its place; only in the settings of a `config-loaded` event. */
  key?: string;
  file?: string;
  line?: number;
}

/** A call to explain: of a tool, with the path that it names or the line of a shell. */
export interface PolicyCall {
  tool: string;
  path?: string;
  command?: string;
  role?: AgentRole;
  phase?: Phase;
}

export interface PolicyExplanation {
  decision: 'allow' | 'ask' | 'deny';
  rule: string;
  file?: string;
  line?: number;
}

export interface ConfigExecutor {
  id: string;
  name?: string;
  /** The adapter that it needs. */
  type?: string;
  endpoint?: string;
  command?: string;
  model?: string;
}

export interface ConfigPlanner {
  id: string;
  name?: string;
  model?: string;
}

export interface ConfigReviewer {
  id: string;
  name?: string;
  model?: string;
  checks: string[];
}
