// A project on disk that real git judges, an agent with a script, and a user who works at the same time.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import git from 'isomorphic-git';
import init, { runLoop } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';

await init();

export const SPEC = '.handoff/specs/shop';

/** One reviewer and nothing after it, so that a run is short. */
export const CONFIG = { reviews: { deep: false, final: false }, summaries: { enabled: false }, snapshots: { iterations: 0 } };

/** Lines that two sides can change without touching each other. */
export const lines = (changes = {}, count = 9) => Array.from({ length: count }, (_, at) => `${changes[at + 1] ?? `line_${at + 1}`}\n`).join('');

const ENV = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_OPTIONAL_LOCKS: '0' };
const USER = ['-c', 'user.name=user', '-c', 'user.email=user@example.com'];

export const chunk = (id, more = {}) => ({ id, title: `Add ${id}`, description: `Write src/${id}.ts.`, ...more });

/** A folder with a repository: `src/app.ts`, ignored names, and the chunks. */
export function project(t, { files = {}, chunks = [chunk('a')], committed = true } = {}) {
  const dir = nodeFs.mkdtempSync(join(tmpdir(), 'loopgate-ownership-'));
  t.after(() => nodeFs.rmSync(dir, { recursive: true, force: true }));
  const at = (path) => join(dir, path);
  const put = (path, content) => {
    nodeFs.mkdirSync(dirname(at(path)), { recursive: true });
    nodeFs.writeFileSync(at(path), content);
  };
  const run = (...args) => execFileSync('git', ['-C', dir, ...USER, ...args], { stdio: 'pipe', env: ENV }).toString().trimEnd();
  const has = (path) => nodeFs.lstatSync(at(path), { throwIfNoEntry: false }) !== undefined;
  const p = {
    dir,
    put,
    has,
    git: run,
    bytes: (path) => (has(path) ? nodeFs.readFileSync(at(path)) : null),
    text: (path) => (has(path) ? nodeFs.readFileSync(at(path), 'utf8') : null),
    /** The user saved these files a minute after the page was closed, and not in the same millisecond. */
    inTheEvening: (...paths) => paths.forEach((path) => nodeFs.utimesSync(at(path), Date.now() / 1000 + 60, Date.now() / 1000 + 60)),
    remove: (path) => nodeFs.rmSync(at(path), { recursive: true }),
    /** Replaces one line of `src/app.ts`, or of another file with numbered lines. */
    line: (number, text, path = 'src/app.ts') => put(path, p.text(path).replace(/^.*$/gm, (line) => (--number === 0 ? text : line))),
    page: (options) => page(dir, options),
    /** The subjects of a branch, the newest first. */
    log: (ref = 'spec/shop') => run('log', '--format=%s', ref).split('\n'),
    status: () => run('status', '--porcelain', '--untracked-files=all'),
    /** The paths in the commits of the run, on any branch. */
    committed: () => [...new Set(ofTheRun('--name-only').split('\n').filter(Boolean))].sort(),
    /** The changes in the commits of the run, as text. */
    patches: () => ofTheRun('-p'),
    /** Whether an object with these bytes can be reached from a ref. */
    isKept: (content) => run('rev-list', '--objects', '--all').includes(execFileSync('git', ['hash-object', '--stdin'], { input: content }).toString().trim()),
  };
  const ofTheRun = (...args) => run('log', '--branches', '--format=', '--no-renames', ...args, '--grep=^Chunk .* of shop\\.$');
  const all = {
    '.gitignore': 'node_modules\n.loopgate\n.env\n*.sqlite\nbuild/\n',
    'src/app.ts': lines(),
    [`${SPEC}/spec.md`]: '# Shop\n',
    [`${SPEC}/chunks.json`]: JSON.stringify(chunks),
    ...files,
  };
  for (const [path, content] of Object.entries(all)) put(path, content);
  run('init', '-q', '-b', 'main');
  if (committed) {
    run('add', '.');
    run('commit', '-qm', 'by the user');
  }
  return p;
}

const METHODS = ['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat', 'lstat', 'readlink', 'symlink', 'chmod'];
export const WRITES = ['writeFile', 'mkdir', 'rmdir', 'unlink', 'rename', 'symlink', 'chmod'];

/** Where a path is on a host that ignores letter case. */
function inAnyCase(dir, path) {
  if (!String(path).startsWith(`${dir}/`)) return path;
  const [folder, name] = [inAnyCase(dir, dirname(path)), basename(path)];
  const names = nodeFs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? nodeFs.readdirSync(folder) : [];
  const same = names.includes(name) ? name : names.find((other) => other.toLowerCase() === name.toLowerCase());
  return join(folder, same ?? name);
}

/**
 * The ports of one page over the folder. `on(method, path, ...)` is called before each call of the file system, with the path in the
 * project. It may return 'before' or 'after': the page is closed at this moment of the call, and every later call fails. `anyCase`: for
 * the host, `src/Page.ts` and `src/page.ts` are one file.
 */
export function page(dir, { on = () => {}, anyCase = false } = {}) {
  const locate = (path) => (anyCase ? inAnyCase(dir, path) : path);
  let gone = false;
  const closed = () => Object.assign(new Error('the page is closed'), { code: 'EIO' });
  const inside = (path) => (String(path) === dir ? '' : String(path).replace(`${dir}/`, ''));
  const call = async (method, [path, ...rest]) => {
    if (gone) throw closed();
    const end = await on(method, inside(path), ...rest);
    if (gone || end === 'before') {
      gone = true;
      throw closed();
    }
    const second = method === 'rename' ? [locate(rest[0])] : rest;
    const result = nodeFs[`${method}Sync`](method === 'symlink' ? path : locate(path), ...second);
    if (end === 'after') {
      gone = true;
      throw closed();
    }
    return result;
  };
  const promises = Object.fromEntries(METHODS.map((method) => [method, (...args) => call(method, args)]));
  return { dir, fs: promises, git: isomorphicGit({ git, fs: { promises }, dir }), close: () => void (gone = true), isClosed: () => gone };
}

let ids = 0;
const call = (name, args = {}) => ({ id: `call-${++ids}`, type: 'function', function: { name, arguments: JSON.stringify(args) } });

export const write = (path, content) => call('write_file', { path, content });
export const edit = (path, old_text, new_text) => call('edit_file', { path, old_text, new_text });
export const remove = (path) => call('delete_file', { path });
export const move = (from, to) => call('move_file', { from, to });
export const sh = (command) => call('shell', { command });
export const tool = call;
export const done = (answer = {}) => call('complete_task', answer);

/** One answer of the model with these calls. */
export const turn = (...tool_calls) => ({ content: null, finish_reason: 'tool_calls', tool_calls });
export const say = (content) => ({ content, finish_reason: 'stop' });
/** The user, or anything else, acts while the model thinks; then it answers. */
export const meanwhile = (action, answer) => async (context) => {
  await action(context);
  return answer;
};
/** The provider refuses: the run rejects at once, and can be resumed. */
export const refused = { refuses: true };

export const ship = say('{"decision":"SHIP","issues":[]}');
export const issue = (description) => ({ file: 'src/a.ts', lines: [1, 1], type: 'logic_bug', severity: 'high', description, suggestion: '', agentPrompt: description });
export const revise = say(JSON.stringify({ decision: 'REVISE', issues: [issue('Do it differently.')] }));

/**
 * Runs to the end. `script` has the answers of each role: an answer, or a function of `{ run, request }` that returns one. The last
 * answer of a role other than the builder is repeated. `shell(command, run)` returns an exit code, or the error that the shell
 * throws. What the script itself throws fails the test.
 */
export async function drive(ports, { script = {}, shell, tools, hooks, config = {}, work = { kind: 'chunks', spec: 'shop' }, onEvent, ...options } = {}) {
  const requests = [];
  const events = [];
  const broken = [];
  const answers = { reviewer: [ship], ...Object.fromEntries(Object.entries(script).map(([role, list]) => [role, [...list]])) };
  let run;
  const scripted = (action) => async (...args) => {
    try {
      return await action(...args);
    } catch (error) {
      broken.push(error);
      throw error;
    }
  };
  const model = async (request) => {
    if (request.role === 'parser') return { content: null, finish_reason: 'stop' };
    requests.push(structuredClone(request));
    const list = answers[request.role] ?? [];
    let answer = list.length > 1 || request.role === 'builder' ? list.shift() : list[0];
    const of = scripted(() => {
      assert.ok(answer, `the script has no answer for the ${request.role}: ${request.messages.at(-1).content?.slice(0, 1500)}`);
      return typeof answer === 'function' ? answer({ run, request }) : answer;
    });
    answer = await of();
    if (answer.refuses) throw new Error('the provider refuses');
    return structuredClone(answer);
  };
  const execute = async (command) => {
    const result = (await scripted(shell)(command, run)) ?? 0;
    if (result instanceof Error) throw result;
    return typeof result === 'number' ? { exitCode: result, stdout: '', stderr: '' } : result;
  };
  const host = {
    ...ports,
    model,
    ...(shell && { shell: { execute } }),
    ...(tools && { tools: tools.map((tool) => ({ ...tool, parameters: { type: 'object', properties: {} }, execute: scripted((...args) => tool.execute(...args, run)) })) }),
    ...(hooks && { hooks: Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, scripted((call) => hook(call, run))])) }),
  };
  run = runLoop({ ...host, work, config: { ...CONFIG, ...config }, ...options });
  const read = (async () => {
    for await (const event of run) {
      events.push(event);
      scripted(async () => onEvent?.(event, run))();
    }
  })().catch(() => {});
  const [{ value: result, reason: error }] = await Promise.allSettled([run.result]);
  await read;
  if (broken.length > 0) throw broken[0];
  const of = (type) => events.filter((event) => event.type === type);
  return {
    run,
    id: run.id,
    host,
    result,
    error,
    events,
    of,
    requests,
    /** The first messages to a role, one for each iteration. */
    prompts: (role = 'builder') => requests.filter((request) => request.role === role && request.messages.length === 2).map(({ messages }) => messages[1].content),
    outputs: () => of('tool-result').map(({ output }) => output),
  };
}

/** The run shipped everything. */
export function isShipped({ error, result }) {
  if (error) assert.fail(`the run rejected: ${error.code}: ${error.message}`);
  assert.equal(result.success, true, result.message);
}

/** The run rejected with this code, and can be resumed. */
export function isRejected({ error, result }, code, words = /./) {
  assert.ok(error, `the run did not reject: ${result?.reason}, ${result?.message}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, words);
}

/** The page was closed in the middle of the run. */
export const isClosed = ({ error, result }) => assert.ok(error, `the run ended before the page was closed: ${result?.message}`);

/** An event for the user names the file. */
export function isNamed({ events }, path, types = ['user-changed', 'status']) {
  const texts = JSON.stringify(events.map((event) => (types.includes(event.type) ? event : event.repaired)).filter(Boolean));
  assert.ok(texts.includes(path), `no event names ${path}: ${texts}`);
}

/** The files of the events `user-changed`, by path. */
export const changedByUser = (outcome) =>
  outcome.of('user-changed').flatMap(({ files }) => files.map(({ path, change }) => ({ path, change }))).sort((a, b) => (a.path < b.path ? -1 : 1));

/** What a prompt of the executor says about the last attempt. */
export const feedback = (prompt) => prompt.split('## Feedback of the last attempt')[1]?.split('## Your Task')[0] ?? '';

/** The waits before a repeated attempt are over at once; a timeout for silence stays. */
export function withoutWaits(t) {
  const real = globalThis.setTimeout;
  t.mock.method(globalThis, 'setTimeout', (action, ms, ...args) => real(action, [2000, 4000, 8000, 16000].includes(ms) ? 0 : ms, ...args));
}
