// Symbolic links in place of the files of loopgate. An IDE opens projects of strangers: nothing outside of the project is read or written.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import git from 'isomorphic-git';
import init, { checkGates, diffPlan, findUnfinishedRun, planCommand, runLoop, snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';

await init();

const SECRET = 'SECRET-7f3a';
const PLAN = 'export default (<App name="Tea"><Screen name="home"><Section gumdrop="hero" /></Screen></App>)\n';
const FILES = {
  'src/app.ts': 'export const app = 1;\n',
  '.gitignore': '.loopgate\n',
  '.ralph/plan.tsx': PLAN,
  '.handoff/specs/shop/spec.md': '# Shop\n',
  '.handoff/specs/shop/chunks.json': '[{"id":"a","title":"A","description":"Write src/a.ts."}]',
  'specs/0001-foo.md': '# Foo\n\nWrite src/foo.ts.\n',
};

const root = mkdtempSync(join(tmpdir(), 'loopgate-links-'));
after(() => rmSync(root, { recursive: true }));

/** A repository with the files, made once. */
const template = join(root, 'template');
for (const [path, text] of Object.entries(FILES)) put(join(template, path), text);
const run = (...args) => execFileSync('git', ['-C', template, '-c', 'user.name=u', '-c', 'user.email=u@example.com', ...args], { stdio: 'pipe' });
run('init', '-q', '-b', 'main');
run('add', '.');
run('commit', '-qm', 'by the user');

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The files below a folder, with their bytes. */
function tree(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return files.map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'latin1')]).sort();
}

/** A model that writes a file, reports and completes, whatever it is asked. */
function eager() {
  const requests = [];
  const call = (name, args) => ({ id: `${name}-${requests.length}`, type: 'function', function: { name, arguments: JSON.stringify(args) } });
  const model = async (request) => {
    requests.push(request);
    const path = `src/${requests.length}.ts`;
    const calls = [call('write_file', { path, content: 'new' }), call('write_file', { path: '.ralph/summary.md', content: 'The notes that were asked for are written.' })];
    return { content: null, finish_reason: 'tool_calls', tool_calls: [...calls, call('complete_task', { summary: 'Done.' })] };
  };
  return { model, requests };
}

let number = 0;

/** A copy of the project, and a folder outside of it with the same names. */
function project() {
  const at = join(root, String((number += 1)));
  const [dir, outside] = [join(at, 'project'), join(at, 'outside')];
  cpSync(template, dir, { recursive: true });
  mkdirSync(outside);
  const { model, requests } = eager();
  const host = { fs: fs.promises, dir, git: isomorphicGit({ git, fs, dir }), model, config: { gates: { only: ['work-done'] }, defaults: { maxRetries: 0 } }, limits: { maxIterations: 2, maxToolCallsPerIteration: 6 } };
  /** Moves a path out of the project, and leaves a link to it; with a secret in each of its files. */
  const link = (path, isFolder) => {
    const [from, to] = [join(dir, path), join(outside, path)];
    mkdirSync(dirname(to), { recursive: true });
    if (existsSync(from)) cpSync(from, to, { recursive: true });
    else if (isFolder) mkdirSync(to);
    rmSync(from, { recursive: true, force: true });
    if (isFolder) for (const [file, text] of tree(to)) writeFileSync(file, `${text}${SECRET}\n`);
    else writeFileSync(to, `${SECRET}\n`);
    if (isFolder) writeFileSync(join(to, 'extra.md'), `${SECRET}\n`);
    mkdirSync(dirname(from), { recursive: true });
    symlinkSync(to, from);
  };
  return { dir, outside, host, requests, link };
}

/** The id of a run whose page was closed after its first tool call. */
async function unfinished(host) {
  let isClosed = false;
  const closed = new Proxy(host.fs, {
    get(target, name) {
      if (typeof target[name] !== 'function') return target[name];
      return (...args) => (isClosed ? Promise.reject(Object.assign(new Error('closed'), { code: 'EIO' })) : target[name](...args));
    },
  });
  const first = runLoop({ ...host, fs: closed, work: { kind: 'task', message: 'Write notes' } });
  const read = async () => {
    for await (const event of first) if (event.type === 'tool-result') isClosed = true;
  };
  await assert.rejects(read());
  return first.id;
}

const work = (host, work, more) => runLoop({ ...host, work, ...more }).result;

/** What opens the files of loopgate. */
const DOORS = {
  task: ({ host }) => work(host, { kind: 'task', message: 'Write notes' }),
  spec: ({ host }) => work(host, { kind: 'spec' }),
  chunks: ({ host }) => work({ ...host, config: { verification: { enabled: false } } }, { kind: 'chunks', spec: 'shop' }),
  resume: ({ host, id }) => work(host, { kind: 'task', message: 'Write notes' }, { resume: id }),
  find: ({ host }) => findUnfinishedRun(host),
  save: ({ host }) => snapshot.save(host),
  gates: ({ host }) => checkGates(host),
  plan: async ({ host }) => [await planCommand(host).execute(['show']), await planCommand(host).execute(['update', '--title', 'Add'])],
  diff: ({ host }) => diffPlan(host),
};

/** The doors that are tried at every link. A run over specs or chunks, and a resumed one, only where it must refuse the link. */
const ALWAYS = ['task', 'save', 'gates', 'plan', 'diff'];

/** The links, and the doors that refuse them; the other doors do not open the file. */
const LINKS = [
  ['.loopgate', true, ['task', 'spec', 'chunks', 'resume', 'find', 'save']],
  ['.loopgate/.gitignore', false, []],
  ['.loopgate/lease', false, ['task', 'spec', 'chunks', 'resume']],
  ['.loopgate/journal', true, ['task', 'spec', 'chunks', 'resume', 'find']],
  ['.loopgate/runs', true, []],
  ['.loopgate/undo', false, ['save', 'task', 'spec', 'chunks']],
  ['.loopgate/names', false, ['save', 'task', 'spec', 'chunks']],
  ['.loopgate/saving', false, ['save', 'task']],
  ['.loopgate/stat-cache', false, []],
  ['.ralph', true, ['task', 'diff', 'gates']],
  ['.ralph/origin.md', false, ['task']],
  ['.ralph/task-history.md', false, ['task']],
  ['.ralph/plan.tsx', false, ['task', 'diff']],
  ['.ralph/task.md', false, ['task']],
  ['.ralph/phase.txt', false, ['task']],
  ['.ralph/status.txt', false, ['task']],
  ['.ralph/plan-diff.md', false, ['diff']],
  ['.handoff', true, ['task', 'chunks']],
  ['.handoff/config.yaml', false, ['task', 'spec', 'chunks']],
  ['.handoff/specs/shop/spec.md', false, ['chunks']],
  ['.handoff/specs/shop/chunks.json', false, ['chunks']],
  ['.handoff/specs/shop/iterations', true, ['chunks']],
  ['specs', true, ['spec']],
  ['specs/0001-foo.md', false, ['spec']],
  ['specs/plans', true, ['spec']],
  ['runs', true, ['spec']],
];

for (const [path, isFolder, refusing] of LINKS) {
  for (const [door, open] of Object.entries(DOORS).filter(([door]) => ALWAYS.includes(door) || refusing.includes(door))) {
    test(`a link in place of ${path} ${refusing.includes(door) ? 'is refused by' : 'leads nothing out at'} the door ${door}`, async () => {
      const { dir, outside, host, requests, link } = project();
      const id = door === 'resume' || door === 'find' ? await unfinished(host) : undefined;
      link(path, isFolder);
      const before = tree(outside);
      const sent = requests.length;
      const result = await open({ host, id }).catch((error) => error);
      assert.deepEqual(tree(outside), before, 'the files outside are as they were');
      const shown = JSON.stringify([result, result.message, result.path, String(result.cause), requests.slice(sent).map(({ messages, tools }) => [messages, tools])]);
      assert.ok(!shown.includes(SECRET), `${SECRET} is shown: ${shown}`);
      // A start removes the cache, which may be lost at any time.
      if (path !== '.loopgate/stat-cache') assert.ok(lstatSync(join(dir, path)).isSymbolicLink(), 'the link stays');
      if (refusing.includes(door)) {
        assert.deepEqual([result.code, result.path], ['denied', path], String(result.message ?? shown));
        assert.match(result.message, /symbolic link/);
      }
    });
  }
}

test('a rollback restores the links within the project and leaves out the others', async () => {
  const { dir, outside, host } = project();
  writeFileSync(join(outside, 'secret.txt'), SECRET);
  const links = { inside: 'src/app.ts', out: join(outside, 'secret.txt'), above: '../outside', closed: '.git/hooks' };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(dir, path));
  const { tag } = await snapshot.save(host);
  for (const path of Object.keys(links)) rmSync(join(dir, path));
  writeFileSync(join(dir, 'src/app.ts'), 'changed');
  for (const dryRun of [true, false]) {
    const { restored, warnings } = await snapshot.rollback(host, tag, { dryRun });
    assert.deepEqual(restored, ['inside', 'src/app.ts']);
    assert.deepEqual(warnings.map((text) => text.split(' ')[0]).sort(), ['above', 'closed', 'out'], String(warnings));
  }
  const found = Object.keys(links).filter((path) => lstatSync(join(dir, path), { throwIfNoEntry: false }));
  assert.deepEqual([found, readFileSync(join(dir, 'src/app.ts'), 'utf8')], [['inside'], FILES['src/app.ts']]);
});

test('undo restores a link that the rollback removed, wherever it leads', async () => {
  const { dir, host } = project();
  const { tag } = await snapshot.save(host);
  symlinkSync('/nowhere', join(dir, 'out'));
  await snapshot.rollback(host, tag);
  assert.equal(lstatSync(join(dir, 'out'), { throwIfNoEntry: false }), undefined);
  await snapshot.undo(host);
  assert.ok(lstatSync(join(dir, 'out')).isSymbolicLink());
});

test('a rollback leaves a link as it is that the snapshot has as well', async () => {
  const { dir, host } = project();
  symlinkSync('/nowhere', join(dir, 'out'));
  const { tag } = await snapshot.save(host);
  writeFileSync(join(dir, 'src/app.ts'), 'changed');
  const { restored, warnings } = await snapshot.rollback(host, tag);
  assert.deepEqual([restored, warnings ?? [], lstatSync(join(dir, 'out')).isSymbolicLink()], [['src/app.ts'], [], true]);
});
