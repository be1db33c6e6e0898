// Pipes and sockets in place of files: to open one waits forever.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import git from 'isomorphic-git';
import init, { checkGates, guardFs, planCommand, runLoop, snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { scriptedModel } from 'loopgate/testing';
import { call, done, summary, task } from '../project.mjs';

await init();

const SKIP = { skip: process.platform === 'win32', timeout: 60_000 };

function project(t, pipes) {
  const dir = fs.mkdtempSync(join(tmpdir(), 'loopgate-pipes-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  for (const path of ['src/app.ts', ...pipes]) fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
  fs.writeFileSync(join(dir, 'src/app.ts'), 'export const app = 1;\n');
  for (const path of pipes) execFileSync('mkfifo', [join(dir, path)]);
  const isPipe = (path) => fs.lstatSync(join(dir, path)).isFIFO();
  return { dir, isPipe, host: { fs: fs.promises, dir, git: isomorphicGit({ git, fs, dir }) } };
}

test('pipes and sockets are in no snapshot', SKIP, async (t) => {
  const { dir, host, isPipe } = project(t, ['pipe', 'src/pipe.ts', 'package.json', 'src/.gitignore', '.git/info/exclude']);
  const server = createServer().listen(join(dir, 'socket'));
  t.after(() => server.close());
  const { tag, warnings } = await snapshot.save(host);
  assert.deepEqual(warnings.map((text) => text.split(' ')[0]).sort(), ['package.json', 'pipe', 'socket', 'src/.gitignore', 'src/pipe.ts']);
  assert.deepEqual(await snapshot.verify(host, tag), { ok: true, missing: [], different: [], extra: [] });
  fs.writeFileSync(join(dir, 'src/app.ts'), 'changed');
  const { restored } = await snapshot.rollback(host, tag);
  assert.deepEqual([restored, isPipe('pipe')], [['src/app.ts'], true]);
});

test('a run works beside pipes, and a tool that names one fails', SKIP, async (t) => {
  const { dir, host } = project(t, ['pipe', 'src/pipe.ts', 'package.json', 'index.html', 'public/data']);
  const tools = [['read_file', { path: 'pipe' }], ['write_file', { path: 'src/pipe.ts', content: '' }], ['edit_file', { path: 'pipe', old_text: 'a', new_text: 'b' }], ['delete_file', { path: 'pipe' }], ['move_file', { from: 'pipe', to: 'b' }], ['search', { query: 'app', path: 'pipe' }]];
  const turns = [...tools.map(([name, args]) => call(name, args)), call('list_files'), call('search', { query: 'app' }), call('write_file', { path: 'notes.md', content: 'notes' }), summary, done];
  const run = runLoop({ ...host, model: scriptedModel(turns), work: task(), plan: 'off', config: { gates: { only: ['work-done'] } } });
  const results = [];
  for await (const event of run) if (event.type === 'tool-result') results.push(event);
  const result = await run.result;
  assert.equal(result.success, true, result.message);
  for (const [at, [name]] of tools.entries()) assert.match(results[at].output, /a pipe, a socket or a device/, name);
  assert.deepEqual(results.slice(tools.length).map(({ ok }) => ok), [true, true, true, true, true]);
  assert.equal(fs.readFileSync(join(dir, 'notes.md'), 'utf8'), 'notes');
  await checkGates(host);
});

for (const path of ['.ralph/plan.tsx', '.ralph/task.md', '.loopgate/lease', '.handoff/config.yaml']) {
  test(`a pipe in place of ${path} is refused by name`, SKIP, async (t) => {
    const { host } = project(t, [path]);
    const run = () => runLoop({ ...host, model: scriptedModel([done]), work: task() }).result;
    const open = path === '.ralph/plan.tsx' ? () => planCommand(host).execute(['show']).then(({ stderr, stdout }) => Promise.reject(new Error(stderr + stdout))) : run;
    await assert.rejects(open(), (error) => /pipe, a socket or a device/.test(error.message) && error.message.includes(path));
  });
}

test('a guarded file system shows a pipe and does not open it', SKIP, async (t) => {
  const { dir, host, isPipe } = project(t, ['pipe', 'other']);
  const guarded = guardFs(host.fs, { dir });
  const stat = await guarded.lstat('pipe');
  assert.deepEqual([stat.isFile(), stat.isDirectory(), stat.isSymbolicLink()], [false, false, false]);
  for (const open of [() => guarded.readFile('pipe'), () => guarded.writeFile('pipe', 'x'), () => guarded.rename('pipe', 'b'), () => guarded.rename('src/app.ts', 'pipe')]) {
    await assert.rejects(open(), { code: 'EACCES', message: /pipe, a socket or a device/ });
  }
  assert.ok(isPipe('pipe') && isPipe('other'));
});
