// Files that `guard.deny` closes are closed at every door.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshot } from 'loopgate';
import { chunk, done, drive, isShipped, meanwhile, project, sh, ship, tool, turn, write } from './project.mjs';

const FILES = { 'secrets.txt': 'USER\n', 'keys/id': 'USER\n' };
const config = { guard: { deny: ['secrets.txt', 'keys'] } };
const attempt = turn(write('src/a.ts', 'AGENT\n'), done());
const closed = (p) => [p.text('secrets.txt'), p.text('keys/id'), p.text('keys/new')];
const CLOSED = ['USER\n', 'USER\n', null];

/** Changes, deletes and creates closed files, and one that is open. */
const breakIn = (p) => {
  p.put('secrets.txt', 'AGENT\n');
  p.remove('keys/id');
  p.put('keys/new', 'AGENT\n');
  p.put('src/open.ts', 'AGENT\n');
};

/** The closed files are as before, right after the call; events and the result name them. */
function isUndone(p, outcome, seen, { isNamed = true } = {}) {
  isShipped(outcome);
  assert.deepEqual(seen, [...CLOSED, 'AGENT\n']);
  const denied = outcome.of('write-denied').map(({ path }) => path);
  for (const path of ['secrets.txt', 'keys/id', 'keys/new']) {
    assert.ok(denied.includes(path), `no write-denied for ${path}: ${denied}`);
    if (isNamed) assert.ok(outcome.outputs()[0].includes(path), outcome.outputs()[0]);
  }
  assert.deepEqual(p.committed(), ['src/a.ts', 'src/open.ts']);
}

test('what a shell command did to closed files is undone at its end, with an event and a sentence in the result', async (t) => {
  const p = project(t, { files: FILES });
  let seen;
  const builder = [turn(sh('break in')), meanwhile(() => (seen = [...closed(p), p.text('src/open.ts')]), attempt)];
  const outcome = await drive(p.page(), { config, shell: () => breakIn(p), script: { builder } });
  isUndone(p, outcome, seen);
});

for (const writes of [true, false]) {
  test(`what a tool of the IDE ${writes ? 'that writes' : 'without `writes`'} did to closed files is undone at its end`, async (t) => {
    const p = project(t, { files: FILES });
    const format = { name: 'format', description: 'formats', writes, execute: () => (breakIn(p), 'formatted') };
    let seen;
    const builder = [turn(tool('format')), meanwhile(() => (seen = [...closed(p), p.text('src/open.ts')]), attempt)];
    isUndone(p, await drive(p.page(), { config, tools: [format], script: { builder } }), seen);
  });
}

test('what a hook of the IDE did to closed files around a call that writes is undone at its end', async (t) => {
  const p = project(t, { files: FILES });
  const hooks = { afterTool: () => p.text('src/open.ts') === 'draft\n' && breakIn(p) };
  let seen;
  const builder = [turn(write('src/open.ts', 'draft\n')), meanwhile(() => (seen = [...closed(p), p.text('src/open.ts')]), attempt)];
  isUndone(p, await drive(p.page(), { config, hooks, script: { builder } }), seen, { isNamed: false });
});

test('a rollback of the agent leaves closed files as they are', async (t) => {
  const p = project(t, { files: { ...FILES, 'secrets.txt': 'old\n' } });
  await snapshot.save(p.page(), { tag: 'old' });
  p.put('secrets.txt', 'USER\n');
  p.git('commit', '-qam', 'secrets');
  let seen;
  const builder = [turn(tool('snapshot', { action: 'rollback', tag: 'old' })), meanwhile(() => (seen = closed(p)), attempt)];
  isShipped(await drive(p.page(), { config, script: { builder } }));
  assert.deepEqual([seen, closed(p), p.committed()], [CLOSED, CLOSED, ['src/a.ts']]);
});

test('the fix of a gate does not write a closed file', async (t) => {
  const app = { 'package.json': '{"dependencies":{"react":"19"}}', 'src/App.tsx': 'export default () => <main>Hello</main>;\n', 'src/index.css': 'body {}\n' };
  const p = project(t, { files: app });
  const css = '@tailwind base;\nbody {}\n';
  const summary = write('.ralph/summary.md', 'The notes that were asked for are written.\n');
  const builder = [turn(write('notes.md', 'AGENT\n'), summary), meanwhile(() => p.put('src/index.css', css), turn(done())), turn(done()), turn(done())];
  const gates = { only: ['css-no-tailwind-directives'] };
  const options = { work: { kind: 'task', message: 'Write notes' }, plan: 'off', limits: { maxIterations: 3 } };
  const outcome = await drive(p.page(), { ...options, config: { gates, guard: { deny: ['src/index.css'] } }, script: { builder } });
  assert.equal(outcome.result?.success, false, outcome.error?.message);
  assert.equal(p.text('src/index.css'), css);
});

test('on a host that ignores letter case, a closed file is closed in every case', async (t) => {
  const p = project(t, { files: FILES });
  const builder = [turn(write('SECRETS.txt', 'AGENT\n'), write('Keys/ID', 'AGENT\n'), write('keys/NEW', 'AGENT\n')), attempt];
  const outcome = await drive(p.page({ anyCase: true }), { config, script: { builder } });
  isShipped(outcome);
  assert.deepEqual([...closed(p), p.text('keys/NEW')], [...CLOSED, null]);
  assert.equal(outcome.of('write-denied').length, 3);
});

test('a chunk works with the list of its own start, which the user may have changed during the run', async (t) => {
  const p = project(t, { files: FILES, chunks: [chunk('a'), chunk('b')] });
  const denies = () => p.put('.handoff/config.yaml', 'guard:\n  deny: [secrets.txt, keys]\n');
  const builder = [attempt, turn(write('secrets.txt', 'AGENT\n'), write('src/b.ts', 'AGENT\n')), turn(sh('break in'), done())];
  const outcome = await drive(p.page(), { shell: () => breakIn(p), script: { builder, reviewer: [meanwhile(denies, ship), ship] } });
  isShipped(outcome);
  assert.deepEqual(closed(p), CLOSED);
  assert.deepEqual(p.committed(), ['src/a.ts', 'src/b.ts', 'src/open.ts']);
});

test('what the user changes in a closed file while a command runs, and announces, stays', async (t) => {
  const p = project(t, { files: FILES });
  const shell = (_, run) => {
    p.put('keys/id', 'USER 2\n');
    run.edited(['keys/id']);
    p.put('secrets.txt', 'AGENT\n');
  };
  const builder = [turn(sh('build')), attempt];
  isShipped(await drive(p.page(), { config, shell, script: { builder } }));
  assert.deepEqual(closed(p), ['USER\n', 'USER 2\n', null]);
  assert.deepEqual(p.committed(), ['src/a.ts']);
});
