// Uses every export of every entry, as an IDE would. This file is only compiled.
import git from 'isomorphic-git';
import init, {
  LoopgateError,
  changes as changesOf,
  checkChunks,
  checkGates,
  checkScope,
  defaultRegistry,
  diffPlan,
  estimate,
  explainConfig,
  explainPolicy,
  findUnfinishedRun,
  followRun,
  formatEvent,
  formatTask,
  formatBuildInstructions,
  guardFs,
  init as named,
  leaveBranch,
  isWorkFile,
  listChunks,
  listIterations,
  listRuns,
  listSpecs,
  loadConfig,
  mergeBranch,
  parseReview,
  parseTask,
  planCommand,
  pricesFrom,
  resolvePlanContext,
  revert,
  runLoop,
  saveConfig,
  snapshot,
  snapshotCommand,
  taskContext,
  validatePlan,
  version,
  type AttemptCost,
  type BuildPort,
  type Cost,
  type CompletionSignal,
  type ChatMessage,
  type ChunkReport,
  type Config,
  type ConfigExplanation,
  type ConfigLayer,
  type ConfigValues,
  type ConfigWarning,
  type ErrorCode,
  type EventLine,
  type Estimate,
  type Fault,
  type FileChange,
  type FsPort,
  type Gate,
  type GateReport,
  type GitPort,
  type Holder,
  type Hooks,
  type Host,
  type Image,
  type IterationClose,
  type Limits,
  type ListedAttempt,
  type ListedChunk,
  type ListedRun,
  type ListedSpec,
  type LoopgateErrorJson,
  type ModelPort,
  type ModelResponse,
  type PlanDiffEntry,
  type PlanReport,
  type PolicyCall,
  type PolicyExplanation,
  type ToolQuestion,
  type WhoseQuestion,
  type PolicyRule,
  type PreviewPort,
  type Price,
  type Recipe,
  type Registry,
  type Reverted,
  type ReviewVerdict,
  type Rollback,
  type Run,
  type RunChange,
  type RunEvent,
  type RunOptions,
  type RunRef,
  type RunResult,
  type ScopeReport,
  type SectionContext,
  type ShellCommand,
  type ShellPort,
  type SnapshotInfo,
  type SnapshotKind,
  type SnapshotStatus,
  type StopReason,
  type StoredIteration,
  type StructuredTask,
  type SystemMessage,
  type TaskContext,
  type ThemeContext,
  type Tool,
  type ToolCall,
  type ToolMessage,
  type UnfinishedRun,
  type UserMessage,
} from 'loopgate';
import wasmAddress from 'loopgate/loopgate_bg.wasm';
import { aiSdk, type AiSdkModel, type AiSdkOptions } from 'loopgate/ai-sdk';
import { anthropic, type AnthropicOptions } from 'loopgate/anthropic';
import { isomorphicGit, type IsomorphicGit } from 'loopgate/git';
import { openAiCompatible, openAiResponses, type OpenAiOptions, type OpenAiResponsesOptions } from 'loopgate/openai';
import { opfs, type OpfsOptions } from 'loopgate/opfs';
import { scriptedModel, type ScriptedModel, type ScriptedTurn } from 'loopgate/testing';

export async function start(source: Response): Promise<string> {
  await init();
  await named(source);
  await init(new URL('https://example.com/loopgate_bg.wasm'));
  return version;
}

const shell: ShellPort = {
  execute: async (command, { cwd, signal, timeoutMs }) => ({ exitCode: signal.aborted ? 1 : 0, stdout: `${cwd} ${command}`, stderr: `${timeoutMs}` }),
  describe: () => 'ls, cat',
};
const build: BuildPort = async ({ signal }) => ({ success: !signal.aborted, errors: [{ message: 'no', file: 'a.ts', line: 1, column: 1 }], warnings: [] });
const preview: PreviewPort = { runtimeErrors: async () => [], console: async () => [{ level: 'log', message: 'hi' }] };
const tool: Tool = {
  name: 'format',
  description: 'formats a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  writes: true,
  async execute(args: { path: string }, { fs, dir, signal }) {
    signal.throwIfAborted();
    await fs.writeFile(`${dir}/${args.path}`, await fs.readFile(args.path));
    const shot: Image = { mediaType: 'image/png', data: 'AAAA' };
    return { ok: true, output: 'formatted', images: [shot] };
  },
};
const gate: Gate = {
  name: 'licence',
  description: 'there is a licence',
  check: async ({ fs, phase }) => ({ pass: (await fs.readdir('/')).includes('LICENSE'), feedback: `missing in ${phase}` }),
};
const hooks: Hooks = {
  beforeTool: async ({ name, args, phase }) => ({ decision: name === 'shell' && phase === 'plan' ? 'ask' : 'allow', args }),
  approveTool: async ({ name, why }: ToolQuestion) => (name === 'shell' ? { decision: 'revise', reason: why.rule } : { decision: 'allow', note: 'carefully' }),
  afterTool: async ({ output }) => console.log(output),
  whose: async ({ files }: WhoseQuestion) => ({ decision: 'allow', value: files.some(({ what }) => what === 'shell') ? { 'a.ts': 'agent' } : 'user' }),
  approvePlan: async (report) => (report.ok ? { decision: 'allow', note: 'small steps' } : { decision: 'revise', reason: 'not yet' }),
};
const recipes: Recipe[] = [{ id: 'gumdrop-hero', content: '# Hero' }];
const registry: Registry = { ...defaultRegistry, gumdrops: [...defaultRegistry.gumdrops, 'my-hero'] };

const price: Price = { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3, cacheWritePerMillion: 3.75, reasoningPerMillion: 15 };
export const byFunction: Host['prices'] = (usage, model) => (model === 'm' ? usage.inputTokens / 1e6 : undefined);
const call: ToolCall = { id: '1', type: 'function', function: { name: 'f', arguments: '{}' }, providerData: { extra_content: {} } };
export const answered: ModelResponse = { content: null, tool_calls: [call], finish_reason: 'tool_calls', model: 'm', providerData: [1] };
export const shown: ChatMessage[] = [{ role: 'user', content: '', images: [{ mediaType: 'image/png', data: 'AAAA' }] }];
export const said: ChatMessage = { role: 'assistant', content: null, tool_calls: [call], providerData: answered.providerData };

export function host(fs: FsPort, git: GitPort, model: ModelPort): Host {
  return { fs, git, dir: '/project', model, shell, build, preview, tools: [tool], gates: [gate], hooks, recipes, registry, prices: { m: price }, locks: navigator.locks, now: () => 0 };
}

export async function judge(host: Host): Promise<string[]> {
  const reports: GateReport[] = await checkGates(host, { only: ['build-succeeds'], taskNumber: 3 });
  return [...reports, ...(await checkGates(host))].map(({ gate, verdict, notApplicable }) => `${gate} ${verdict} ${notApplicable}`);
}

export async function run(host: Host, signal: AbortSignal): Promise<StopReason> {
  const limits: Partial<Limits> = { maxIterations: 5, maxToolCallsPerIteration: 9, maxConsecutiveGateFailures: 3, maxTokens: Infinity, maxCostUsd: 0.5, maxWallMs: 1, modelIdleMs: 1 };
  const options: RunOptions = { ...host, work: { kind: 'task', message: 'Build it' }, limits, plan: 'auto', clarify: false, signal };
  await using run: Run = runLoop(options);
  run.steer('faster');
  run.edited(['src/a.ts']);
  for await (const event of run) if (isOver(event)) break;
  run.abort();
  run.abort('enough');
  const result: RunResult = await run.result;
  run.retryNow();
  const total: Cost = result.cost;
  const attempts: AttemptCost[] = result.cost.attempts;
  console.log(total.accepted + total.rejected, result.cost.roles.builder?.spent, result.cost.pieces?.['specs/a.md']?.estimated, attempts);
  const { runId, success, message, iterations, usage, gates, snapshots } = result;
  console.log(run.id === runId, success, message, iterations, usage.inputTokens, gates.map((report: GateReport) => report.verdict), snapshots.pre, snapshots.post);
  return result.reason;
}

export async function takeBack(host: Host, of: RunRef): Promise<string[]> {
  const listed: RunChange[] = await changesOf(host, of);
  const paths = listed.filter(({ by, added, removed }) => by !== 'user' && added + removed > 0).map(({ path }) => path);
  const { reverted, conflicts, undo }: Reverted = await revert(host, { ...of, paths, by: 'agent' });
  return [...reverted, ...conflicts, undo];
}

export async function ship(host: Host, spec: string): Promise<string> {
  const { commit, fastForward }: { commit: string; fastForward: boolean } = await mergeBranch(host, spec);
  const { branch } = await leaveBranch(host);
  return fastForward ? branch : commit;
}

function isOver(event: RunEvent): boolean {
  switch (event.type) {
    case 'phase-changed':
      console.log(event.seq, event.at, event.from, event.to);
      return false;
    case 'tool-result':
      console.log(event.id, event.changed);
      return false;
    case 'run-started':
      console.log(event.notes);
      return false;
    case 'plan-checked':
      console.log(event.accepted, event.feedback);
      return false;
    case 'stall-detected':
      console.log(event.section, event.marker, event.recovery, event.feedback);
      return false;
    case 'iteration-finished':
      console.log(event.close satisfies IterationClose, event.signal satisfies CompletionSignal | undefined, event.worked, event.tree, event.fault satisfies Fault | undefined);
      return false;
    case 'task-started':
      console.log(event.stalePlan, event.pre);
      return false;
    case 'harness-files-changed':
      console.log(event.paths);
      return false;
    case 'config-warning':
      console.log(event.warning satisfies ConfigWarning, event.warning.suggestions);
      return false;
    case 'tool-delta':
      console.log(event.id, event.name, event.text);
      return false;
    case 'run-failed':
      console.log(event.error.code satisfies ErrorCode, event.error.retryAfterMs);
      return true;
    default:
      return event.type === 'run-finished';
  }
}

export function logged(event: RunEvent): string {
  const line: EventLine | null = formatEvent(event);
  const tones: Record<EventLine['kind'], string> = { progress: '…', good: '✓', bad: '✗', question: '?', detail: ' ' };
  return line ? `${tones[line.kind]} ${line.text}` : '';
}

export async function resume(host: Host): Promise<Run | null> {
  const found: UnfinishedRun | null = await findUnfinishedRun(host);
  return found && runLoop({ ...host, resume: found.runId });
}

export async function recorded(host: Host, runId: string): Promise<string[]> {
  const records: StoredIteration[] = await listIterations(host, { runId });
  return records.map(({ iteration, attempt, role, model, answeredBy, startedAt, endedAt, outcome, message, usage, toolCalls, filesChanged, files }) => {
    console.log(model, answeredBy, endedAt - startedAt, message, usage.costUsd, toolCalls, filesChanged, files.transcript, files.record);
    return `${iteration}-${attempt} ${role} ${outcome === 'interrupted'} ${files.prompt}`;
  });
}

export async function lists(host: Host): Promise<string[]> {
  const runs: ListedRun[] = await listRuns(host);
  const specs: ListedSpec[] = await listSpecs(host);
  const chunks: ListedChunk[] = await listChunks(host, 'shop');
  const attempts: ListedAttempt[] = chunks.flatMap((chunk) => chunk.attempts);
  const report: ChunkReport = checkChunks('[]');
  const isShown: boolean = !isWorkFile('src/App.tsx');
  return [
    `${isShown}`,
    ...runs.map(({ title, reason, endedAt = 0, startedAt, message, cost }) => `${title} ${reason === 'open'} ${endedAt - startedAt} ${message} ${cost?.spent}`),
    ...specs.map(({ path, state, plans, attempts, feedback, reason }) => `${path} ${state === 'not-a-spec'} ${plans + attempts} ${feedback} ${reason}`),
    ...chunks.map(({ id, state, blockedBy, commit, cost, reason }) => `${id} ${state === 'blocked'} ${blockedBy?.[0]} ${commit} ${cost} ${reason}`),
    ...attempts.map(({ number, outcome, model, folder, reviews, verification }) => `${number} ${outcome === 'revised'} ${model} ${folder} ${reviews.quick?.decision} ${verification[0]?.step}`),
    ...(report.ok ? report.order : report.failures.map(({ line, message }) => `${line}: ${message}`)),
  ];
}

export async function ask(host: Host): Promise<boolean> {
  const { runs, tokens, costUsd }: Estimate = await estimate(host, { kind: 'task', message: 'Add a hero' });
  return runs > 0 && tokens !== 'unknown' && costUsd !== 'unknown' && tokens.max > 9_000 && costUsd.max > 5;
}

export function needsWork(host: Host): Run {
  // @ts-expect-error a new run has work
  return runLoop({ ...host });
}

/** Every port may be synchronous. */
export function synchronousHost(files: Map<string, string>): Host {
  const stat = { isFile: () => true, isDirectory: () => false, size: 1, mtimeMs: 1 };
  const git: GitPort = {
    init: () => {},
    resolveRef: () => null,
    writeRef: () => {},
    deleteRef: () => {},
    listTags: () => [],
    listRefs: (folder, known) => [folder, ...(known ?? [])],
    currentBranch: () => 'main',
    readCommit: () => ({ tree: '', parents: [], message: '', author: { name: '', email: '', timestamp: 0, timezoneOffset: 0 } }),
    readTree: () => [],
    readBlob: () => new Uint8Array(),
    writeBlob: () => '',
    writeTree: () => '',
    writeCommit: () => '',
  };
  return {
    dir: '/project',
    fs: {
      readFile: (path) => files.get(path) ?? '',
      writeFile: (path, data) => void files.set(path, String(data)),
      readdir: () => [...files.keys()],
      mkdir: () => undefined,
      rmdir: () => {},
      unlink: (path) => void files.delete(path),
      rename: () => {},
      stat: () => stat,
    },
    git,
    model: () => ({ content: 'done', finish_reason: 'stop' }),
    shell: { execute: () => ({ exitCode: 0, stdout: '', stderr: '' }) },
    build: () => ({ success: true, errors: [], warnings: [] }),
    preview: { runtimeErrors: () => [], console: () => [] },
    recipes: () => null,
    hooks: { beforeTool: () => ({ decision: 'allow' }) },
  };
}

/** A message narrows by its role. */
export function words(message: ChatMessage): string {
  switch (message.role) {
    case 'assistant':
      return `${message.content ?? ''}${message.tool_calls?.length ?? 0}` satisfies string;
    case 'tool':
      return `${(message satisfies ToolMessage).name} ${message.tool_call_id} ${message.content}`;
    default:
      return (message satisfies SystemMessage | UserMessage).content;
  }
}

export const layers: ConfigLayer[] = [
  { gates: { disabled: ['scope'], only: null }, limits: { maxIterations: 3 }, models: { m: { inputPerMillion: 1, outputPerMillion: 2 } }, git: null },
  { tools: { reviewers: [{ id: 'quick' }] }, verification: { steps: [{ name: 'Lint', command: 'lint' }] }, defaults: { executor: null } },
  // @ts-expect-error a key that does not exist
  { gates: { disbled: ['scope'] } },
  // @ts-expect-error a key that does not exist
  { gate: {} },
  // @ts-expect-error a value of the wrong type
  { defaults: { maxIterations: '3' } },
];

export async function initFromFile(): Promise<void> {
  await init(wasmAddress);
}

export function throughAMessage(error: LoopgateError): LoopgateError {
  const json: LoopgateErrorJson = error.toJSON();
  return LoopgateError.fromJSON(structuredClone(json));
}

export async function follow(host: Host, signal: AbortSignal): Promise<Holder | undefined> {
  try {
    await runLoop({ ...host, work: { kind: 'task', message: 'Build it' } }).result;
  } catch (error) {
    const { holder } = error as LoopgateError;
    if (!holder) throw error;
    for await (const event of followRun(host, { runId: holder.runId, after: 3, signal, pollMs: 500 })) console.log(event.lease);
    return holder;
  }
}

export function check(source: string): string[] {
  const report: PlanReport = validatePlan(source, { registry, taskNumber: 2 });
  return report.ok ? (report.root?.children ?? []).map((node) => node.component) : report.failures.map((failure) => `${failure.line}:${failure.column} ${failure.id}`);
}

export async function compare(host: Host): Promise<string> {
  const { entries, report }: { entries: PlanDiffEntry[]; report: string } = await diffPlan({ fs: host.fs, dir: host.dir });
  console.log(entries.map(({ status, category, planned, found, detail }) => `${status} ${category} ${planned} ${found ?? ''} ${detail ?? ''}`));
  host.prices = pricesFrom({ small: { input_cost_per_token: 1e-6, output_cost_per_token: 1e-5 } });
  const plan: ShellCommand = planCommand(host);
  const { exitCode, stdout, stderr } = await plan.execute(['show']);
  return exitCode === 0 ? `${plan.name}: ${stdout}` : `${stderr}${report}`;
}

export async function context(host: Host, source: string): Promise<string> {
  const found = await resolvePlanContext({ ...host, recipes: async (id) => recipes.find((recipe) => recipe.id === id) ?? null }, source);
  const { applied, command, output, error, mood, font }: ThemeContext = found.theme;
  const [first]: SectionContext[] = found.sections;
  console.log(applied, command, output, error, mood, font, first?.gumdrop, first?.variant, first?.recipe, first?.components, first?.suggestedFile);
  return formatBuildInstructions(found) + formatBuildInstructions(found, 'Warnings: none');
}

export async function configuration(host: Pick<Host, 'fs' | 'dir'>, spec: ConfigLayer): Promise<string[]> {
  const config: Config = await loadConfig(host, { global: 'rules: []', spec, lenient: true });
  const values: ConfigValues = config.values;
  const { layer, file, line, value }: ConfigExplanation = explainConfig(config, 'defaults.maxIterations');
  const warnings: ConfigWarning[] = config.warnings;
  const call: PolicyCall = { tool: 'shell', command: 'git push', role: 'builder', phase: 'build' };
  const { decision, rule }: PolicyExplanation = await explainPolicy(host, call, { spec: { policy: [{ decision: 'deny', path: 'src', access: 'read' }] } });
  const rules: PolicyRule[] = values.policy;
  console.log(decision, rule, rules.map(({ path }) => path));
  await saveConfig(host, { defaults: { maxIterations: values.defaults.maxIterations + 1, executor: null } });
  return [`${layer} ${file}:${line} ${value}`, ...values.tools.executors.map(({ id }) => id), ...warnings.map(({ message }) => message)];
}

export function scope(plan: string, before: Record<string, string>, after: Record<string, string>): string[] {
  const { overall, markers } = checkScope({ plan, taskNumber: 3, before, after });
  const partly: ScopeReport = checkScope({ plan, taskNumber: 3, before, after: { 'src/App.tsx': null } });
  return [overall, partly.overall, ...markers.map(({ section, marker, verdict, reason }) => `${section} ${marker} ${verdict}: ${reason}`)];
}

export function reviewed(text: string): string[] {
  const read: ReviewVerdict = parseReview(text);
  if (read.verdict === 'inconclusive') return [read.reason];
  const { decision, issues, summary } = read.review;
  return [decision, `${summary.total - issues.length} left out`, ...issues.map(({ file, lines, agentPrompt }) => `${file}:${lines?.[0] ?? ''} ${agentPrompt}`)];
}

export async function snapshots(host: Host): Promise<FileChange[]> {
  const saved: SnapshotInfo = await snapshot.save(host, { message: 'now', tag: 'mine' });
  await snapshot.save(host);
  const kind: SnapshotKind = saved.kind;
  const [first] = await snapshot.list(host, { kind: [kind, 'post'] });
  const { name, pinned, runId }: SnapshotInfo = await snapshot.label(host, saved.tag, { name: 'Mine', pinned: true });
  await snapshot.label(host, saved.tag, { name: null });
  const { restored, deleted, undo }: Rollback = await snapshot.rollback(host, first?.tag ?? saved.tag, { dryRun: true, paths: ['src'] });
  const { tag, warnings = saved.warnings }: Rollback = await snapshot.undo(host);
  const { current, changes, last }: SnapshotStatus = await snapshot.status(host);
  console.log(warnings, name, pinned, runId);
  const { ok, missing, different, extra } = await snapshot.verify(host, tag);
  const bytes: Uint8Array | null = await snapshot.readFile(host, tag, 'a');
  console.log(restored, deleted, undo, current, changes, last, ok, missing, different, extra, bytes);
  return await snapshot.diff(host, 'a', 'b');
}

export async function commands(host: Host): Promise<number> {
  const command: ShellCommand = snapshotCommand(host);
  const [iteration] = await snapshot.list(host, { kind: 'iteration' });
  const { exitCode, stdout, stderr } = await command.execute(['rollback', iteration?.tag ?? command.name]);
  console.log(stdout, stderr);
  return exitCode;
}

export async function intake(host: Host, message: string, model: ModelPort, signal: AbortSignal): Promise<string> {
  const context: TaskContext = { planExists: true, planSections: ['hero'], lastSummary: '8 drinks', fileList: ['src/App.tsx'], taskNumber: 3, previousTag: 'task-2-post' };
  const task: StructuredTask = await parseTask(message, await taskContext(host));
  const { type, title, requirements, scope, questions, parsedBy } = await parseTask(message, context, { model, signal });
  for (const { marker, description, count, existing, span } of requirements) {
    console.log(marker, description, count, existing, span && message.slice(...span));
  }
  console.log(type, title, scope.preserve, scope.affectedFiles, questions, parsedBy, task.rawMessage);
  return formatTask(task);
}

export async function seenByTheUser(host: Host, message: string, parsed: StructuredTask): Promise<string[]> {
  const run = runLoop({ ...host, work: { kind: 'task', message, parsed } });
  for await (const event of run) if (event.type === 'run-started') console.log(event.task?.requirements.length);
  const { reason, clarification } = await run.result;
  return reason === 'needs-clarification' ? (clarification ?? []) : [];
}

export function guard(fs: FsPort, config: Config): FsPort {
  return guardFs(fs, { dir: '/project', phase: 'plan', config, tool: 'shell', onDenied: ({ path, rule }) => console.log(path, rule) });
}

export function isRetryable(error: unknown): boolean {
  if (!(error instanceof LoopgateError)) return false;
  const { code, path, line, column, cause, message }: LoopgateError = error;
  console.log(code, path, line, column, cause, message);
  return error.retryable;
}

export function openAi(more: OpenAiResponsesOptions): ModelPort[] {
  const options: OpenAiOptions = { baseUrl: 'http://localhost:11434/v1', model: 'm', body: { temperature: 0, provider: { order: ['a'] } } };
  return [openAiCompatible(options), openAiResponses({ apiKey: 'k', model: 'm' }), openAiResponses({ ...more, images: false, body: { reasoning: { effort: 'high' } } })];
}

export function claude(more: AnthropicOptions): ModelPort[] {
  const options: AnthropicOptions = { model: 'claude', thinking: { type: 'enabled', budget_tokens: 2000 }, headers: { 'anthropic-beta': 'a' }, body: { output_config: { effort: 'low' } } };
  return [anthropic(options), anthropic({ ...more, apiKey: 'k', baseUrl: 'https://a', maxTokens: 8000 })];
}

export function sdk(model: AiSdkModel, more: AiSdkOptions): ModelPort[] {
  return [aiSdk(model), aiSdk(model, { ...more, stream: false, providerOptions: { openai: { reasoningEffort: 'low' } } })];
}

export function adapters(git: IsomorphicGit, options: OpenAiOptions): [GitPort, ModelPort, ScriptedModel] {
  const turns: ScriptedTurn[] = [
    'done',
    { text: 'reading', toolCalls: [{ name: 'read_file', args: { path: 'a' } }] },
    { stream: ['a', 'b'], usage: { inputTokens: 1, outputTokens: 1 } },
    { fail: new Error('no') },
    { hang: true },
    ({ messages }) => `${messages.length}`,
  ];
  const model = scriptedModel(turns, { delayMs: 1 });
  console.log(model.requests, model.remaining);
  return [isomorphicGit({ git, fs: {}, dir: '/project', gitdir: '/git', cache: {} }), openAiCompatible(options), model];
}

export async function originFiles(root: FileSystemDirectoryHandle): Promise<FsPort> {
  await git.init({ fs: { promises: opfs() }, dir: '/project' });
  const options: OpfsOptions = { root, handles: 'async' };
  const fs = opfs(options);
  await fs.mkdir('/project', { recursive: true });
  console.log((await fs.lstat('/project')).mtimeMs, await fs.readFile('/project/a', 'utf8'), fs.hasLinks);
  await fs.flush();
  return opfs({ handles: 'sync' });
}
