// The end of a run in the middle of its work: an abort, and a task without progress.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, edit, isNamed, isRejected, isShipped, lines, meanwhile, project, refused, sh, tool, turn, write } from './project.mjs';

const work = [write('src/a.ts', 'AGENT\n'), edit('src/app.ts', 'line_2\n', 'AGENT\n')];
const saves = (p) => {
  p.put('mine.txt', 'USER\n');
  p.line(8, 'USER');
};
const left = (p) => [p.text('src/a.ts'), p.text('src/app.ts'), p.text('mine.txt')];
const LEFT = [null, lines({ 8: 'USER' }), 'USER\n'];

function isAborted({ result, error }) {
  assert.equal(error, undefined, String(error?.message));
  assert.equal(result.reason, 'aborted');
}

test('an abort while the model thinks takes back the agent\'s changes and keeps the user\'s', async (t) => {
  const p = project(t);
  const builder = [turn(...work), meanwhile(({ run }) => (saves(p), run.abort('stop')), turn(done()))];
  isAborted(await drive(p.page(), { script: { builder } }));
  assert.deepEqual([left(p), p.committed()], [LEFT, []]);
});

test('an abort during a verification takes back the agent\'s changes and keeps the user\'s', async (t) => {
  const p = project(t);
  const config = { verification: { enabled: true, steps: [{ name: 'Test', command: 'npm test' }] } };
  const shell = (_, run) => {
    p.put('coverage.txt', 'COMMAND\n');
    run.abort('stop');
  };
  const builder = [turn(...work), meanwhile(() => saves(p), turn(done()))];
  isAborted(await drive(p.page(), { config, shell, script: { builder } }));
  assert.deepEqual([left(p), p.has('coverage.txt'), p.committed()], [LEFT, false, []]);
});

test('an abort during a command of the agent takes back what the command changed', async (t) => {
  const p = project(t);
  const shell = (_, run) => {
    p.put('src/gen.ts', 'AGENT\n');
    run.abort('stop');
  };
  isAborted(await drive(p.page(), { shell, script: { builder: [turn(...work), meanwhile(() => saves(p), turn(sh('build')))] } }));
  assert.deepEqual([left(p), p.has('src/gen.ts')], [LEFT, false]);
});

test('an abort while a write is in flight takes back that write', async (t) => {
  const p = project(t);
  let current;
  let landed;
  const on = async (method, path) => {
    if (method !== 'writeFile' || path !== 'src/late.ts') return;
    current.abort('stop');
    // The write takes longer than the abort.
    landed = (async () => {
      for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
    })();
    await landed;
  };
  const builder = [turn(...work), ({ run }) => ((current = run), turn(write('src/late.ts', 'AGENT\n')))];
  isAborted(await drive(p.page({ on }), { script: { builder } }));
  await landed;
  await new Promise(setImmediate);
  assert.deepEqual([p.has('src/late.ts'), p.status()], [false, '']);
});

test('an abort with HEAD on another branch takes the attempt back, and leaves HEAD where the user put it', async (t) => {
  const p = project(t);
  const elsewhere = ({ run }) => {
    saves(p);
    p.git('checkout', '-q', 'main');
    run.abort('stop');
  };
  isAborted(await drive(p.page(), { script: { builder: [turn(...work), meanwhile(elsewhere, turn(done()))] } }));
  assert.deepEqual([p.git('branch', '--show-current'), left(p), p.log('main')], ['main', LEFT, ['by the user']]);
});

test('an abort after a resume takes back what the attempt changed before it', async (t) => {
  const p = project(t);
  const first = await drive(p.page(), { script: { builder: [turn(...work), refused] } });
  isRejected(first, 'model', /refuses/);
  saves(p);
  isAborted(await drive(p.page(), { resume: first.id, script: { builder: [meanwhile(({ run }) => run.abort('stop'), turn(done()))] } }));
  assert.deepEqual(left(p), LEFT);
});

test('where the user overwrote the agent\'s lines, an abort keeps the text of the user and an event names the file', async (t) => {
  const p = project(t);
  const builder = [turn(...work), meanwhile(({ run }) => (p.line(2, 'USER'), run.abort('stop')), turn(done()))];
  const outcome = await drive(p.page(), { script: { builder } });
  isAborted(outcome);
  assert.deepEqual([p.text('src/app.ts'), p.text('src/a.ts')], [lines({ 2: 'USER' }), null]);
  isNamed(outcome, 'src/app.ts');
});

test('a task that stalls takes back the agent\'s changes and keeps the user\'s', async (t) => {
  const p = project(t);
  const idle = () => turn(tool('list_files'), done());
  const builder = [turn(...work, done()), meanwhile(() => saves(p), idle()), ...Array.from({ length: 6 }, idle)];
  const limits = { stallThreshold: 2, maxStallRecoveries: 1, maxIterations: 8 };
  const outcome = await drive(p.page(), { work: { kind: 'task', message: 'Write notes' }, plan: 'off', limits, config: { gates: { only: ['has-summary'] } }, script: { builder } });
  assert.equal(outcome.result?.reason, 'stalled', outcome.error?.message ?? outcome.result.message);
  assert.deepEqual(left(p), LEFT);
});

test('an aborted run can be followed by one that ships', async (t) => {
  const p = project(t);
  isAborted(await drive(p.page(), { script: { builder: [turn(...work), meanwhile(({ run }) => run.abort('stop'), turn(done()))] } }));
  saves(p);
  isShipped(await drive(p.page(), { script: { builder: [turn(...work, done())] } }));
  assert.deepEqual([p.committed(), p.status()], [['src/a.ts', 'src/app.ts'], ' M src/app.ts\n?? mine.txt']);
});
