// Files that git ignores, and attempts that change what git ignores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, edit, isClosed, isShipped, meanwhile, project, remove, revise, ship, turn, write } from './project.mjs';

const attempt = (text = 'AGENT\n') => turn(write('src/a.ts', text), done());

/** Runs an attempt that is rejected and one that ships; `look` sees the project between them. */
async function rejected(p, first, look, second = attempt('AGENT_2\n')) {
  const outcome = await drive(p.page(), { script: { builder: [first, meanwhile(look, second)], reviewer: [revise, ship] } });
  isShipped(outcome);
  return outcome;
}

test('REVISE brings back an ignored file that the agent overwrote', async (t) => {
  const p = project(t);
  const data = Buffer.from([0, 255, 254, 10, 13, 128]);
  p.put('.env', 'KEY=user\n');
  p.put('app.sqlite', data);
  let seen;
  await rejected(p, turn(write('.env', 'KEY=agent\n'), write('app.sqlite', 'AGENT\n'), ...attempt().tool_calls), () => (seen = [p.text('.env'), p.bytes('app.sqlite')]));
  assert.deepEqual(seen, ['KEY=user\n', data]);
  assert.deepEqual(p.committed(), ['src/a.ts']);
});

test('REVISE brings back an ignored file that the agent edited or deleted', async (t) => {
  const p = project(t);
  p.put('.env', 'KEY=user\n');
  p.put('build/keep.txt', 'USER\n');
  let seen;
  await rejected(p, turn(edit('.env', 'user', 'agent'), remove('build/keep.txt'), ...attempt().tool_calls), () => (seen = [p.text('.env'), p.text('build/keep.txt')]));
  assert.deepEqual(seen, ['KEY=user\n', 'USER\n']);
});

test('an abort brings back an ignored file that the agent overwrote', async (t) => {
  const p = project(t);
  p.put('.env', 'KEY=user\n');
  const builder = [turn(write('.env', 'KEY=agent\n')), meanwhile(({ run }) => run.abort('stop'), attempt())];
  const { result } = await drive(p.page(), { script: { builder } });
  assert.equal(result.reason, 'aborted');
  assert.equal(p.text('.env'), 'KEY=user\n');
});

test('a new run brings back an ignored file that an abandoned attempt overwrote', async (t) => {
  const p = project(t);
  p.put('.env', 'KEY=user\n');
  const page = p.page();
  isClosed(await drive(page, { script: { builder: [turn(write('.env', 'KEY=agent\n')), meanwhile(page.close, attempt())] } }));
  assert.equal(p.text('.env'), 'KEY=agent\n');
  isShipped(await drive(p.page(), { script: { builder: [attempt()] } }));
  assert.equal(p.text('.env'), 'KEY=user\n');
});

test('a new file in an ignored path is shown to the reviewers as ignored, and is not committed', async (t) => {
  const p = project(t);
  const outcome = await drive(p.page(), { script: { builder: [turn(write('build/out.js', 'AGENT out\n'), ...attempt().tool_calls)] } });
  isShipped(outcome);
  const [request] = outcome.prompts('reviewer');
  assert.match(request, /build\/out\.js/);
  assert.match(request, /ignore/i);
  assert.match(request, /AGENT out/);
  assert.deepEqual(p.committed(), ['src/a.ts']);
});

test('REVISE deletes a new file in an ignored path', async (t) => {
  const p = project(t);
  let seen;
  await rejected(p, turn(write('build/out.js', 'AGENT\n'), ...attempt().tool_calls), () => (seen = [p.has('build/out.js'), p.has('src/a.ts')]));
  assert.deepEqual(seen, [false, false]);
});

test('REVISE takes back an attempt that changed `.gitignore`, and the next attempt may write the same files', async (t) => {
  const p = project(t);
  const before = p.text('.gitignore');
  const again = turn(write('.gitignore', `${before}gen/\n`), write('gen/x.ts', 'AGENT\n'), ...attempt().tool_calls);
  let seen;
  const outcome = await rejected(p, again, () => (seen = [p.text('.gitignore'), p.has('gen/x.ts'), p.has('src/a.ts')]), again);
  assert.deepEqual(seen, [before, false, false]);
  assert.equal(outcome.of('attempt-started').length, 2);
  assert.deepEqual(p.committed(), ['.gitignore', 'src/a.ts']);
});

test('an attempt that makes git ignore an existing file leaves that file as it is after REVISE', async (t) => {
  const p = project(t, { files: { 'gen/old.ts': 'USER\n' } });
  p.put('gen/mine.ts', 'USER\n');
  const first = turn(write('.gitignore', 'gen/\n.loopgate\n'), write('gen/old.ts', 'AGENT\n'), ...attempt().tool_calls);
  let seen;
  await rejected(p, first, () => (seen = [p.text('gen/old.ts'), p.text('gen/mine.ts')]));
  assert.deepEqual(seen, ['USER\n', 'USER\n']);
  assert.equal(p.status(), '?? gen/mine.ts');
});

test('a file of the user that git does not ignore after the attempt is neither committed nor deleted', async (t) => {
  for (const reviewer of [[ship], [revise, ship]]) {
    const p = project(t);
    p.put('.env', 'KEY=user\n');
    const first = turn(write('.gitignore', 'node_modules\n.loopgate\n'), ...attempt().tool_calls);
    isShipped(await drive(p.page(), { script: { builder: [first, attempt('AGENT_2\n')], reviewer } }));
    assert.equal(p.text('.env'), 'KEY=user\n');
    assert.ok(!p.committed().includes('.env'));
  }
});
