// Fixes: of the findings of a final review, and those that a gate proposes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, isClosed, isShipped, issue, meanwhile, project, say, ship, turn, write } from './project.mjs';

const config = { reviews: { deep: false, final: true } };
const finding = (text) => say(JSON.stringify({ decision: 'REVISE', issues: [issue(text)] }));
const attempt = (text) => turn(write('src/a.ts', text), done());

test('the prompt of the first fix after a final review does not say that changes were reverted', async (t) => {
  const p = project(t);
  let seen;
  const builder = [attempt('AGENT_1\n'), meanwhile(() => (seen = p.text('src/a.ts')), attempt('AGENT_2\n'))];
  const outcome = await drive(p.page(), { config, script: { builder, reviewer: [ship, finding('Name the constant.'), ship] } });
  isShipped(outcome);
  const [, fix] = outcome.prompts();
  assert.match(fix, /Name the constant\./);
  assert.doesNotMatch(fix, /revert/i);
  assert.equal(seen, 'AGENT_1\n');
  assert.deepEqual([p.log().length, p.git('show', 'spec/shop:src/a.ts')], [3, 'AGENT_2']);
});

test('a fix that is rejected is reverted to what is committed, and the next prompt says so', async (t) => {
  const p = project(t);
  const seen = [];
  const look = () => seen.push(p.text('src/a.ts'), p.text('mine.txt'));
  const builder = [attempt('AGENT_1\n'), attempt('AGENT_2\n'), meanwhile(look, attempt('AGENT_3\n'))];
  const saves = meanwhile(() => p.put('mine.txt', 'USER\n'), finding('Not like this.'));
  const outcome = await drive(p.page(), { config, script: { builder, reviewer: [ship, finding('Name the constant.'), saves, ship] } });
  isShipped(outcome);
  assert.match(outcome.prompts()[2], /reverted/i);
  assert.deepEqual(seen, ['AGENT_1\n', 'USER\n']);
  assert.deepEqual([p.git('show', 'spec/shop:src/a.ts'), p.status()], ['AGENT_3', '?? mine.txt']);
});

const APP = { 'package.json': '{"dependencies":{"react":"19"}}', 'src/App.tsx': 'export default () => <main>Hello</main>;\n', 'src/index.css': 'body {}\n' };
const CSS = '@tailwind base;\nbody {\n  color: AGENT;\n}\n';
const OWN = '.user {\n  color: USER;\n}\n';
const summary = write('.ralph/summary.md', 'The notes that were asked for are written.\n');
const options = { work: { kind: 'task', message: 'Write styles' }, plan: 'off', limits: { maxIterations: 6 }, config: { gates: { only: ['css-no-tailwind-directives'] } } };
const styles = [turn(write('src/index.css', CSS), summary, done()), turn(done())];

test('what the user writes between the proposal of a gate\'s fix and a resume is not overwritten by the fix', async (t) => {
  const p = project(t, { files: APP });
  let writes = 0;
  const on = (method, path) => (method === 'writeFile' && path === 'src/index.css' && ++writes === 2 ? 'before' : undefined);
  const first = await drive(p.page({ on }), { ...options, script: { builder: styles } });
  isClosed(first);
  assert.equal(p.text('src/index.css'), CSS);
  p.put('src/index.css', CSS + OWN);
  const second = await drive(p.page(), { ...options, resume: first.id, script: { builder: Array.from({ length: 4 }, () => turn(done())) } });
  assert.equal(second.error, undefined, String(second.error?.message));
  assert.ok(p.text('src/index.css').endsWith(OWN), p.text('src/index.css'));
});

test('what the user announces while the gates run is not overwritten by a fix', async (t) => {
  const p = project(t, { files: APP });
  let rounds = 0;
  let current;
  const check = () => {
    if (++rounds === 2) {
      p.put('src/index.css', CSS + OWN);
      current.edited(['src/index.css']);
    }
    return { pass: true };
  };
  const gates = [{ name: 'slow', description: 'takes its time', check }];
  const config = { gates: { only: ['css-no-tailwind-directives', 'slow'] } };
  const script = { builder: [meanwhile(({ run }) => (current = run), styles[0]), styles[1], ...Array.from({ length: 4 }, () => turn(done()))] };
  const outcome = await drive({ ...p.page(), gates }, { ...options, config, script });
  assert.equal(outcome.error, undefined, String(outcome.error?.message));
  assert.ok(rounds >= 2);
  assert.ok(p.text('src/index.css').endsWith(OWN), p.text('src/index.css'));
});

test('a gate\'s fix of a file that only the agent changed is reported as the harness\'s', async (t) => {
  const p = project(t, { files: APP });
  const outcome = await drive(p.page(), { ...options, script: { builder: [...styles, turn(done())] } });
  isShipped(outcome);
  assert.doesNotMatch(p.text('src/index.css'), /@tailwind/);
  assert.deepEqual(outcome.of('file-changed').filter(({ by }) => by === 'harness').map(({ path }) => path), ['src/index.css']);
});
