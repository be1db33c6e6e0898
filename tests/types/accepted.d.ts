// index.d.ts
/** loopgate: the gated agent loop for browser IDEs. */
export { default, default as init } from './init.js';
export { LoopgateError } from './errors.js';
export type { ErrorCode } from './errors.js';
export { findUnfinishedRun, runLoop } from './run.js';
export { validatePlan } from './plan.js';
export { snapshot } from './snapshot.js';
export { guardFs } from './guarded-fs.js';
export { defaultRegistry, version } from './generated.js';
export type * from './types/index.js';

// init.d.ts
import * as module from './loopgate.js';
type Source = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;
/**
 * Loads the wasm module. Idempotent. Works in a window, a worker, and Node 20+.
 *
 * `wasm` says where it is, or is it, for bundlers that do not follow `new URL('…', import.meta.url)`.
 */
export default function init(wasm?: Source): Promise<void>;
/** The functions of the wasm module, once `init` has resolved. */
export declare function wasm(): typeof module;
export {};

// errors.d.ts
export type ErrorCode = 'invalid-argument' | 'invalid-config' | 'not-found' | 'denied' | 'locked' | 'conflict' | 'fs' | 'git' | 'model' | 'shell' | 'corrupt' | 'unsupported' | 'internal';
/** A fault of the host or of loopgate. The `code` is stable, the text is not; `cause` is what the host threw. */
export declare class LoopgateError extends Error {
    code: ErrorCode;
    /** The same call may succeed later, unchanged. */
    retryable: boolean;
    /** The file that it is about. */
    path?: string;
    /** 1-based. */
    line?: number;
    /** 1-based, in UTF-16 code units. */
    column?: number;
    constructor(message?: string, details?: Partial<Pick<LoopgateError, 'code' | 'retryable' | 'path' | 'line' | 'column' | 'cause'>>);
}
/** What the wasm module threw, as a `LoopgateError`: its own errors carry a code, anything else is a fault of loopgate. */
export declare function toLoopgateError(thrown: unknown): LoopgateError;

// run.d.ts
import type { Host, Run, RunOptions, UnfinishedRun } from './types/index.js';
/**
 * Starts a run. It goes on whether or not anybody reads its events or awaits its result.
 *
 * A wrong option throws at once; a normal stop (budget, stall, abort, gates failed) resolves `result` with its reason;
 * a fault of the host or of loopgate rejects it.
 */
export declare function runLoop(options: RunOptions): Run;
/** The run of this project that a closed tab or a crash left unfinished; pass its `runId` to `runLoop` as `resume`. */
export declare function findUnfinishedRun(host: Pick<Host, 'fs' | 'dir'>): Promise<UnfinishedRun | null>;

// plan.d.ts
import type { PlanReport, Registry } from './types/index.js';
/** Synchronous: fast enough for every keystroke in an editor. Never throws on bad source. */
export declare function validatePlan(source: string, options?: {
    registry?: Registry;
    taskNumber?: number;
}): PlanReport;

// snapshot.d.ts
import type { FileChange, Host, SnapshotInfo } from './types/index.js';
/** Snapshots: commits that only their tags reach. HEAD, branches and the index stay as they are. */
export declare const snapshot: {
    save(host: Host, options?: {
        message?: string;
        tag?: string;
    }): Promise<SnapshotInfo>;
    list(host: Host): Promise<SnapshotInfo[]>;
    /** Hard restore of files, plan and counters. Saves what it replaces first: `undo` brings it back. `restored` lists files that differed. */
    rollback(host: Host, tag: string, options?: {
        dryRun?: boolean;
    }): Promise<{
        tag: string;
        restored: string[];
        deleted: string[];
        undo: string;
    }>;
    /** Brings back what the last rollback replaced, saving the present first. */
    undo(host: Host): Promise<{
        tag: string;
    }>;
    diff(host: Host, from: string, to?: string): Promise<FileChange[]>;
    status(host: Host): Promise<{
        current: string | null;
        changes: FileChange[];
        last: SnapshotInfo | null;
    }>;
    verify(host: Host, tag: string): Promise<{
        ok: boolean;
        missing: string[];
        different: string[];
        extra: string[];
    }>;
    readFile(host: Host, tag: string, path: string): Promise<Uint8Array | null>;
};

// guarded-fs.d.ts
import type { GuardedFs } from './loopgate.js';
import type { FsPort, Phase } from './types/index.js';
/**
 * The same files, with the harness's rules enforced: hand this to a shell, an editor or a tool that the agent drives. Reads outside
 * the project, of `.git` and of `.loopgate` are denied too. No phase means build; check, review and accept allow no writes.
 */
export declare function guardFs(fs: FsPort, options: {
    dir: string;
    phase?: Phase;
    onDenied?(event: {
        path: string;
        rule: string;
    }): void;
}): FsPort;
/** The guard of the wasm module in the shape of `fs.promises`. Paths are absolute, or relative to the project. */
export declare function asFsPort(inner: GuardedFs): FsPort;

// generated.d.ts
import type { Registry } from './types/index.js';
/** The version of the package. */
export declare const version: string;
/** The names that a plan may use where the IDE injects no registry of its own. */
export declare const defaultRegistry: Registry;

// git.d.ts
import type { GitPort } from './types/git.js';
export type { GitPerson, GitPort } from './types/git.js';
/** What is used of isomorphic-git: pass the module itself, `import * as git from 'isomorphic-git'`. */
export interface IsomorphicGit {
    init(args: any): Promise<void>;
    resolveRef(args: any): Promise<string>;
    writeRef(args: any): Promise<void>;
    deleteRef(args: any): Promise<void>;
    listTags(args: any): Promise<string[]>;
    currentBranch(args: any): Promise<string | void>;
    readCommit(args: any): Promise<{
        commit: {
            tree: string;
            parent: string[];
            message: string;
            author: {
                name: string;
                email: string;
                timestamp: number;
                timezoneOffset: number;
            };
        };
    }>;
    readTree(args: any): Promise<{
        tree: Array<{
            mode: string;
            path: string;
            oid: string;
            type: 'blob' | 'tree' | 'commit';
        }>;
    }>;
    readBlob(args: any): Promise<{
        blob: Uint8Array;
    }>;
    writeBlob(args: any): Promise<string>;
    writeTree(args: any): Promise<string>;
    writeCommit(args: any): Promise<string>;
}
/**
 * A `GitPort` over isomorphic-git. `fs` is what isomorphic-git takes (a LightningFS instance, `node:fs`), `gitdir` is
 * `dir`/.git unless given. Nothing but objects and the named refs is ever written: HEAD and index stay as they are.
 */
export declare function isomorphicGit(options: {
    git: IsomorphicGit;
    fs: any;
    dir: string;
    gitdir?: string;
    cache?: object;
}): GitPort;

// openai.d.ts
import type { ModelPort } from './types/model.js';
export type { ModelPort, ModelRequest, ModelResponse } from './types/model.js';
export interface OpenAiOptions {
    /** Up to, but without, `/chat/completions`: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
    baseUrl: string;
    apiKey?: string;
    model: string;
    headers?: Record<string, string>;
    /** Default: the platform's. */
    fetch?: typeof globalThis.fetch;
    /** Default: true. A server that answers without streaming is understood all the same. */
    stream?: boolean;
}
/**
 * A `ModelPort` over any server with OpenAI's chat completions and tool calling.
 *
 * A refused call rejects with an `Error` that has `status` and, where the server said so, `retryAfter` in seconds. A
 * stream that breaks off resolves with the finish reason `error`: what arrived is never taken for a whole answer.
 */
export declare function openAiCompatible(options: OpenAiOptions): ModelPort;

// testing.d.ts
import type { ModelPort, ModelRequest, ModelResponse, Usage } from './types/model.js';
export type { ModelPort, ModelRequest, ModelResponse } from './types/model.js';
/** A call as a script writes it: `args` that are a string are passed as they are, to be wrong on purpose. */
export interface ScriptedToolCall {
    name: string;
    args?: unknown;
    /** Default: `call_1`, `call_2`, … over the whole script. */
    id?: string;
}
/** What the model says in one turn. */
export interface ScriptedAnswer {
    text?: string;
    reasoning?: string;
    toolCalls?: ScriptedToolCall[];
    /** Default: `tool_calls` with calls, `stop` without. */
    finishReason?: ModelResponse['finish_reason'];
    usage?: Usage;
}
/**
 * One turn of a script:
 * - a string: the model says it and stops;
 * - an answer: text, reasoning, tool calls;
 * - `{ stream }`: the same, its text passed on piece by piece first;
 * - `{ fail }`: the call rejects with it;
 * - `{ hang: true }`: the call never answers, until it is aborted;
 * - a function of the request, for scripts that look at what they were asked.
 */
export type ScriptedTurn = string | ScriptedAnswer | (Omit<ScriptedAnswer, 'text'> & {
    stream: string[];
}) | {
    fail: unknown;
} | {
    hang: true;
} | ((request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>);
export interface ScriptedModel extends ModelPort {
    /** What the model was asked so far, each a copy. */
    readonly requests: ModelRequest[];
    /** How many turns the script has left. */
    readonly remaining: number;
}
/**
 * A model that answers from a script. Every request is checked first: each tool call of the conversation must be
 * answered exactly once, in order, before anything else is said; otherwise the call rejects and says where.
 *
 * `delayMs` waits before every turn and every piece of a stream, so that a person can watch.
 */
export declare function scriptedModel(turns: Iterable<ScriptedTurn>, options?: {
    delayMs?: number;
}): ScriptedModel;

// types/event.d.ts
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
export type RunEvent = {
    v: 1;
    seq: number;
    at: number;
    runId: string;
} & ({
    type: 'run-started';
    work: RunOptions['work'];
    task?: StructuredTask;
} | {
    type: 'run-resumed';
    repaired: string[];
} | {
    type: 'phase-changed';
    from: Phase;
    to: Phase;
    why: string;
} | {
    type: 'iteration-started';
    iteration: number;
    attempt: number;
    role: AgentRole;
    promptBytes: number;
}
/** Not journaled. */
 | {
    type: 'text-delta' | 'reasoning-delta';
    text: string;
} | {
    type: 'tool-call';
    id: string;
    name: string;
    args: unknown;
} | {
    type: 'tool-result';
    id: string;
    ok: boolean;
    output: string;
    durationMs: number;
    changed: string[];
} | {
    type: 'file-changed';
    path: string;
    change: 'created' | 'modified' | 'deleted';
    by: 'agent' | 'harness';
} | {
    type: 'write-denied';
    path: string;
    rule: string;
} | {
    type: 'plan-checked';
    report: PlanReport;
} | {
    type: 'plan-context';
    theme: ThemeContext;
    sections: Array<{
        gumdrop: string;
        suggestedFile: string;
        found: boolean;
    }>;
} | {
    type: 'plan-invalidated';
    reason: string;
    attempt: number;
} | {
    type: 'gate-checked';
    report: GateReport;
} | {
    type: 'verification-checked';
    result: VerificationResult;
} | {
    type: 'review-given';
    tier: ReviewTier;
    review: Review;
} | {
    type: 'snapshot-saved';
    snapshot: SnapshotInfo;
    durationMs: number;
} | {
    type: 'snapshot-restored';
    tag: string;
    restored: number;
    deleted: number;
    durationMs: number;
} | {
    type: 'stall-detected';
    section?: string;
    marker?: string;
    recovery: number;
} | {
    type: 'budget-warning';
    limit: keyof Limits;
    used: number;
    max: number;
} | {
    type: 'usage';
    usage: Usage;
    total: Usage;
} | {
    type: 'status';
    text: string;
} | {
    type: 'iteration-finished';
    iteration: number;
    toolCalls: number;
    filesChanged: string[];
} | {
    type: 'run-finished';
    result: RunResult;
} | {
    type: 'run-failed';
    error: {
        code: ErrorCode;
        message: string;
    };
});

// types/fs.d.ts
/** The `fs.promises` subset that LightningFS `.promises`, ZenFS, memfs and `node:fs/promises` share. */
export interface FsPort {
    readFile(path: string, options?: any): Promise<Uint8Array | string>;
    writeFile(path: string, data: Uint8Array | string, options?: any): Promise<void>;
    readdir(path: string): Promise<string[]>;
    mkdir(path: string, options?: any): Promise<unknown>;
    rmdir(path: string): Promise<void>;
    unlink(path: string): Promise<void>;
    rename(from: string, to: string): Promise<void>;
    stat(path: string): Promise<FsStat>;
    lstat?(path: string): Promise<FsStat>;
    /** Without these three, symbolic links are denied to the agent and left out of snapshots with a note. */
    readlink?(path: string): Promise<string>;
    symlink?(target: string, path: string): Promise<void>;
    chmod?(path: string, mode: number): Promise<void>;
    /** Makes everything written so far durable (LightningFS has it). Called at every journal barrier. */
    flush?(): Promise<void>;
}
export interface FsStat {
    isFile(): boolean;
    isDirectory(): boolean;
    isSymbolicLink?(): boolean;
    size: number;
    mtimeMs: number;
    mode?: number;
}

// types/gate.d.ts
export interface GateReport {
    gate: string;
    verdict: 'pass' | 'warn' | 'fail' | 'error';
    feedback?: string;
    tree?: string;
    durationMs: number;
    fix?: {
        file: string;
        content: string;
        description: string;
    };
}
export interface VerificationResult {
    step: string;
    command: string;
    outcome: 'passed' | 'failed' | 'timed-out' | 'skipped' | 'error';
    required: boolean;
    exitCode?: number;
    output: string;
    truncated: boolean;
    durationMs: number;
}

// types/git.d.ts
/** Plumbing only: loopgate builds snapshots, diffs and rollbacks itself from objects and refs. */
export interface GitPort {
    init(): Promise<void>;
    resolveRef(ref: string): Promise<string | null>;
    writeRef(ref: string, oid: string, options?: {
        expect?: string | null;
    }): Promise<void>;
    deleteRef(ref: string): Promise<void>;
    listTags(): Promise<string[]>;
    currentBranch(): Promise<string | null>;
    readCommit(oid: string): Promise<{
        tree: string;
        parents: string[];
        message: string;
        author: GitPerson;
    }>;
    readTree(oid: string): Promise<Array<{
        mode: string;
        path: string;
        oid: string;
        type: 'blob' | 'tree' | 'commit';
    }>>;
    readBlob(oid: string): Promise<Uint8Array>;
    writeBlob(bytes: Uint8Array): Promise<string>;
    writeTree(entries: Array<{
        mode: string;
        path: string;
        oid: string;
        type: 'blob' | 'tree';
    }>): Promise<string>;
    writeCommit(commit: {
        tree: string;
        parents: string[];
        message: string;
        author: GitPerson;
    }): Promise<string>;
    /** Optional fast path: many objects in one packfile. */
    writePack?(pack: Uint8Array): Promise<void>;
}
/** `timestamp` counts seconds, as git does; `timezoneOffset` minutes west of UTC, as JavaScript does. */
export interface GitPerson {
    name: string;
    email: string;
    timestamp: number;
    timezoneOffset: number;
}

// types/host.d.ts
import type { FsPort } from './fs.js';
import type { GitPort } from './git.js';
import type { ModelPort } from './model.js';
import type { PlanReport, Registry } from './plan.js';
import type { Phase } from './event.js';
/** What the IDE injects. */
export interface Host {
    fs: FsPort;
    /** Without git, snapshots are refused with a clear error; the loop runs. */
    git?: GitPort;
    dir: string;
    /** Needed by `runLoop`. */
    model?: ModelPort;
    /** By the ids of `tools.executors|planners|reviewers` in the configuration. */
    models?: Record<string, ModelPort>;
    shell?: ShellPort;
    build?: BuildPort;
    preview?: PreviewPort;
    recipes?: Recipe[] | ((id: string) => Promise<Recipe | null>);
    /** Default: the built-in React UI registry. */
    registry?: Registry;
    /** The IDE's own tools, beside the built-in ones. */
    tools?: Tool[];
    /** The IDE's own gates, beside the built-in ones. */
    gates?: Gate[];
    hooks?: Hooks;
    /** Default: `navigator.locks` where there is one. */
    locks?: Pick<LockManager, 'request'>;
    now?(): number;
}
export interface ShellPort {
    execute(command: string, options: {
        cwd: string;
        signal: AbortSignal;
        timeoutMs: number;
    }): Promise<{
        exitCode: number;
        stdout: string;
        stderr: string;
    }>;
    /** Shown to the model so that it knows what it may run. */
    describe?(): string;
}
export type BuildPort = (options: {
    signal: AbortSignal;
}) => Promise<{
    success: boolean;
    errors: BuildMessage[];
    warnings: BuildMessage[];
}>;
export interface BuildMessage {
    message: string;
    file?: string;
    line?: number;
    column?: number;
}
export interface PreviewPort {
    runtimeErrors(): Promise<BuildMessage[]>;
    console?(): Promise<Array<{
        level: string;
        message: string;
    }>>;
}
/** Markdown with YAML front matter; a section's recipe has the id `gumdrop-<name>`. */
export interface Recipe {
    id: string;
    content: string;
}
/** One of the IDE's own tools. Its file system is guarded: what the agent may not write, it may not write either. */
export interface Tool {
    name: string;
    description: string;
    parameters: object;
    writes?: boolean;
    execute(args: any, context: {
        signal: AbortSignal;
        fs: FsPort;
        dir: string;
    }): Promise<string | {
        ok: boolean;
        output: string;
    }>;
}
/** One of the IDE's own gates. Its file system is read-only. */
export interface Gate {
    name: string;
    description: string;
    check(context: {
        fs: FsPort;
        dir: string;
        signal: AbortSignal;
        phase: Phase;
    }): Promise<{
        pass: boolean;
        feedback?: string;
    }>;
}
export interface Hooks {
    /** A hook that throws or is aborted means 'deny'. */
    beforeTool?(call: {
        name: string;
        args: unknown;
        phase: Phase;
    }): Promise<{
        decision: 'allow' | 'deny';
        reason?: string;
        args?: unknown;
    }>;
    afterTool?(call: {
        name: string;
        args: unknown;
        ok: boolean;
        output: string;
    }): Promise<void>;
    approvePlan?(report: PlanReport): Promise<{
        decision: 'allow' | 'deny';
        reason?: string;
    }>;
}

// types/index.d.ts
/** Everything that the package speaks of. */
export type * from './event.js';
export type * from './fs.js';
export type * from './gate.js';
export type * from './git.js';
export type * from './host.js';
export type * from './model.js';
export type * from './plan.js';
export type * from './review.js';
export type * from './run.js';
export type * from './snapshot.js';
export type * from './task.js';

// types/model.d.ts
/** One model turn. Messages and tool calls have the OpenAI chat-completions shape. */
export type ModelPort = (request: ModelRequest, context: {
    signal: AbortSignal;
    onDelta(delta: ModelDelta): void;
}) => Promise<ModelResponse>;
export interface ModelRequest {
    role: AgentRole;
    messages: ChatMessage[];
    tools: ToolSchema[];
    responseFormat?: {
        type: 'json_schema';
        name: string;
        schema: object;
    };
    maxOutputTokens?: number;
}
export type AgentRole = 'builder' | 'planner' | 'verifier' | 'reviewer' | 'parser' | 'summarizer';
export type ChatMessage = {
    role: 'system' | 'user';
    content: string;
} | {
    role: 'assistant';
    content: string | null;
    tool_calls?: ToolCall[];
} | {
    role: 'tool';
    tool_call_id: string;
    content: string;
};
export interface ToolCall {
    id: string;
    type: 'function';
    function: {
        name: string;
        arguments: string;
    };
}
export interface ToolSchema {
    type: 'function';
    function: {
        name: string;
        description: string;
        parameters: object;
    };
}
export type ModelDelta = {
    type: 'text';
    text: string;
} | {
    type: 'reasoning';
    text: string;
};
export interface ModelResponse {
    content: string | null;
    tool_calls?: ToolCall[];
    finish_reason: 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'error';
    usage?: Usage;
}
export interface Usage {
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens?: number;
    reasoningTokens?: number;
    costUsd?: number;
    estimated?: boolean;
}

// types/plan.d.ts
export interface PlanReport {
    ok: boolean;
    root: PlanNode | null;
    failures: Diagnostic[];
    warnings: Diagnostic[];
    markers: ChangeMarker[];
}
export interface PlanNode {
    component: string;
    props: Record<string, string | number | boolean | Array<string | number | boolean> | Record<string, string | number | boolean>>;
    children: PlanNode[];
    line: number;
    column: number;
}
export interface Diagnostic {
    id: string;
    message: string;
    line: number;
    column: number;
    endLine?: number;
    endColumn?: number;
    suggestions?: string[];
}
export interface ChangeMarker {
    kind: 'ADD' | 'MODIFY' | 'FIX' | 'REMOVE' | 'NO CHANGES' | 'PRESERVED';
    task: number | null;
    count: number | null;
    existing: number | null;
    text: string;
    screen: string | null;
    section: string | null;
    line: number;
}
/** The names that a plan may use. */
export interface Registry {
    moods: string[];
    presets: string[];
    patterns: string[];
    fonts: string[];
    shadowProfiles: string[];
    radii: string[];
    gumdrops: string[];
    components: string[];
    gridHeavyGumdrops: string[];
    statefulGumdrops: string[];
}
export interface ThemeContext {
    applied: boolean;
    command: string;
    output: string;
    error?: string;
    mood?: string;
    font?: string;
}

// types/review.d.ts
export type ReviewTier = 'quick' | 'deep' | 'final';
export interface Review {
    decision: 'SHIP' | 'REVISE';
    issues: ReviewIssue[];
    summary: {
        total: number;
        high: number;
        medium: number;
        low: number;
    };
}
export interface ReviewIssue {
    file: string;
    lines: [number, number] | null;
    type: 'security' | 'race_condition' | 'memory_leak' | 'error_handling' | 'logic_bug' | 'accessibility' | 'architecture';
    severity: 'high' | 'medium' | 'low';
    description: string;
    suggestion: string;
    agentPrompt: string;
}

// types/run.d.ts
import type { RunEvent, Phase } from './event.js';
import type { GateReport } from './gate.js';
import type { Host } from './host.js';
import type { Usage } from './model.js';
import type { StructuredTask } from './task.js';
export interface RunOptions extends Host {
    /** A user message (task lifecycle), specs/*.md (plan, implement, verify) or .handoff chunks (SHIP/REVISE). */
    work: {
        kind: 'task';
        message: string;
        parsed?: StructuredTask;
    } | {
        kind: 'spec';
        path?: string;
        force?: boolean;
    } | {
        kind: 'chunks';
        spec: string;
        only?: string[];
    };
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
export interface Limits {
    maxIterations: number;
    maxToolCallsPerIteration: number;
    maxConsecutiveGateFailures: number;
    maxAttempts: number;
    maxReplans: number;
    stallThreshold: number;
    maxStallRecoveries: number;
    maxTokens: number;
    maxCostUsd: number;
    maxWallMs: number;
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
    snapshots: {
        pre?: string;
        post?: string;
    };
    clarification?: string[];
}
export type StopReason = 'done' | 'needs-clarification' | 'waiting' | 'aborted' | 'gates-failed' | 'max-iterations' | 'max-attempts' | 'plan-not-converging' | 'stalled' | 'budget' | 'blocked' | 'nothing-to-do';
/** What `findUnfinishedRun` finds: pass `runId` as `resume`. */
export interface UnfinishedRun {
    runId: string;
    work: RunOptions['work'];
    phase: Phase;
    iteration: number;
    at: number;
}

// types/snapshot.d.ts
export interface SnapshotInfo {
    tag: string;
    oid: string;
    tree: string;
    message: string;
    at: number;
    files: number;
    changed: number;
}
export interface FileChange {
    path: string;
    change: 'added' | 'modified' | 'deleted' | 'renamed';
    from?: string;
}

// types/task.d.ts
export interface StructuredTask {
    type: 'fresh' | 'mutation' | 'bugfix' | 'needs-clarification';
    title: string;
    taskNumber: number;
    previousTag?: string;
    requirements: Array<{
        marker: 'ADD' | 'MODIFY' | 'FIX' | 'REMOVE';
        description: string;
        count?: number;
        existing?: number;
        span?: [number, number];
    }>;
    scope: {
        preserve: string[];
        affectedFiles: string[];
    };
    rawMessage: string;
    questions?: string[];
    parsedBy: 'model' | 'rules';
}
