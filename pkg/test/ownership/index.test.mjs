// What the agent does with git in its shell: branches, HEAD and the index belong to the user.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, edit, isShipped, lines, meanwhile, project, revise, sh, ship, turn, write } from './project.mjs';

const attempt = turn(write('src/a.ts', 'AGENT_2\n'), done());

/** The agent's shell has git. */
const shell = (p) => (command) => {
  const [program, ...args] = command.split(' ');
  assert.equal(program, 'git');
  p.git(...args);
};

/** A project with a staged file of the user; the agent writes two files, then runs commands of git. `look` sees what they left. */
async function after(t, commands, look, { reviewer = [ship], next = [] } = {}) {
  const p = project(t);
  p.put('staged.txt', 'USER\n');
  p.git('add', 'staged.txt');
  const files = [write('src/a.ts', 'AGENT\n'), edit('src/app.ts', 'line_2\n', 'AGENT\n')];
  const builder = [turn(...files, ...commands.map(sh)), meanwhile(() => look(p), turn(done())), ...next];
  isShipped(await drive(p.page(), { shell: shell(p), script: { builder, reviewer } }));
  return p;
}

const staged = (p) => p.git('diff', '--cached', '--name-only');
const written = (p) => [p.text('src/a.ts'), p.text('src/app.ts')];
const WRITTEN = ['AGENT\n', lines({ 2: 'AGENT' })];

test('what the agent stages is unstaged at the end of the command, and stays in the files', async (t) => {
  let seen;
  const p = await after(t, ['git add -A'], (p) => (seen = [staged(p), ...written(p)]));
  assert.deepEqual(seen, ['staged.txt', ...WRITTEN]);
  assert.deepEqual([p.committed(), p.status()], [['src/a.ts', 'src/app.ts'], 'A  staged.txt']);
});

test('nothing of a rejected attempt stays staged', async (t) => {
  const seen = [];
  let look;
  const next = [meanwhile(() => look(), attempt)];
  const p = await after(t, ['git add -A'], (p) => (look = () => seen.push(staged(p), p.status())), { reviewer: [revise, ship], next });
  assert.deepEqual(seen, ['staged.txt', 'A  staged.txt']);
  assert.equal(p.status(), 'A  staged.txt');
});

test('what the agent unstages is staged again at the end of the command', async (t) => {
  let seen;
  await after(t, ['git rm -q --cached staged.txt'], (p) => (seen = [staged(p), p.text('staged.txt')]));
  assert.deepEqual(seen, ['staged.txt', 'USER\n']);
});

test('a commit of the agent is undone at the end of the command, and its files stay', async (t) => {
  let seen;
  const p = await after(t, ['git add src', 'git commit -qm agent'], (p) => (seen = [p.log('HEAD'), staged(p), ...written(p)]));
  assert.deepEqual(seen, [['by the user'], 'staged.txt', ...WRITTEN]);
  assert.deepEqual([p.log(), p.status()], [['Add a', 'by the user'], 'A  staged.txt']);
});

for (const command of ['git checkout -q -b elsewhere', 'git checkout -q main', 'git checkout -q --detach']) {
  test(`HEAD is back on the branch of the run at the end of \`${command}\``, async (t) => {
    let seen;
    const p = await after(t, [command], (p) => (seen = [p.git('branch', '--show-current'), ...written(p)]));
    assert.deepEqual(seen, ['spec/shop', ...WRITTEN]);
    assert.deepEqual([p.log(), p.log('main'), p.status()], [['Add a', 'by the user'], ['by the user'], 'A  staged.txt']);
  });
}

test('a branch of the user that the agent moves is back at the end of the command', async (t) => {
  let seen;
  await after(t, ['git add src', 'git commit -qm agent', 'git branch -f main HEAD'], (p) => (seen = [p.log('main'), p.log('HEAD')]));
  assert.deepEqual(seen, [['by the user'], ['by the user']]);
});

test('REVISE brings back the uncommitted lines of the user that a command of the agent discarded', async (t) => {
  const p = project(t);
  p.line(8, 'USER');
  let seen;
  const builder = [turn(sh('git checkout -q -- src/app.ts'), write('src/a.ts', 'AGENT\n'), done()), meanwhile(() => (seen = p.text('src/app.ts')), attempt)];
  isShipped(await drive(p.page(), { shell: shell(p), script: { builder, reviewer: [revise, ship] } }));
  assert.equal(seen, lines({ 8: 'USER' }));
  assert.deepEqual(p.committed(), ['src/a.ts']);
});

test('what the user stages while the agent works stays staged after SHIP and after REVISE', async (t) => {
  for (const reviewer of [[ship], [revise, ship]]) {
    const p = project(t);
    const stages = () => {
      p.put('later.txt', 'USER\n');
      p.git('add', 'later.txt');
    };
    const builder = [turn(write('src/a.ts', 'AGENT\n')), meanwhile(stages, turn(done())), attempt];
    isShipped(await drive(p.page(), { script: { builder, reviewer } }));
    assert.equal(p.status(), 'A  later.txt');
  }
});
