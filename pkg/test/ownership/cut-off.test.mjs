// A page that is closed in a call, and a user who saves files while a call runs: what may be either stays.
import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { done, drive, isClosed, isNamed, isShipped, lines, meanwhile, project, revise, sh, ship, tool, turn, write } from './project.mjs';

const EVENING = lines({ 2: 'USER' });

function evening(p) {
  p.put('src/mine.ts', 'USER\n');
  p.line(2, 'USER');
  p.inTheEvening('src/mine.ts', 'src/app.ts');
}

function stays(p) {
  assert.deepEqual([p.text('src/mine.ts'), p.text('src/app.ts')], ['USER\n', EVENING]);
  assert.doesNotMatch(p.patches(), /USER/);
}

const HOOKS = {
  'no hook': undefined,
  'hooks that are not around calls': { approveChunks: () => ({ decision: 'allow' }), pullRequest: () => {} },
  'hooks around calls': { beforeTool: () => ({ decision: 'allow' }), afterTool: () => {} },
};

for (const [name, hooks] of Object.entries(HOOKS)) {
  for (const reviews of [[ship], [revise, ship]]) {
    test(`with ${name}, the evening after a page that was closed in a call that reads is the user's, ${reviews.length === 1 ? 'also after SHIP' : 'also after REVISE'}`, async (t) => {
      const p = project(t);
      let armed = false;
      const on = (method, path) => (armed && method === 'readdir' && path === 'src' ? 'before' : undefined);
      const first = await drive(p.page({ on }), { hooks, script: { builder: [meanwhile(() => (armed = true), turn(tool('list_files')))] } });
      isClosed(first);
      evening(p);
      const builder = [turn(write('src/a.ts', 'AGENT\n'), done()), turn(write('src/a.ts', 'AGENT\n'), done())];
      isShipped(await drive(p.page(), { hooks, resume: first.id, script: { builder, reviewer: reviews } }));
      stays(p);
      assert.deepEqual(p.committed(), ['src/a.ts']);
    });
  }
}

const look = (save) => ({ name: 'look', description: 'Looks.', readOnly: true, execute: () => (save(), 'seen') });

for (const reviews of [[ship], [revise, ship]]) {
  test(`what the user saves while a tool with readOnly works is the user's${reviews.length > 1 ? ', also after REVISE' : ''}`, async (t) => {
    const p = project(t);
    let saved = false;
    const save = () => {
      if (!saved) evening(p);
      saved = true;
    };
    const builder = [turn(tool('look'), write('src/a.ts', 'AGENT\n'), done()), turn(write('src/a.ts', 'AGENT\n'), done())];
    isShipped(await drive(p.page(), { tools: [look(save)], script: { builder, reviewer: reviews } }));
    stays(p);
    assert.deepEqual(p.committed(), ['src/a.ts']);
  });
}

test('what the user saves while a reviewer calls a tool with readOnly is not undone', async (t) => {
  const p = project(t);
  const reviewer = [turn(tool('look')), ship];
  isShipped(await drive(p.page(), { tools: [look(() => evening(p))], script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())], reviewer } }));
  stays(p);
});

/** A run whose page was closed while a command ran that had made a file, some time before. */
async function closedInCommand(t, options = {}) {
  const p = project(t);
  const page = p.page();
  const shell = () => {
    p.put('src/made.ts', 'COMMAND\n');
    // The page was alive for some time after it.
    nodeFs.utimesSync(join(p.dir, 'src/made.ts'), 1_000, 1_000);
    page.close();
  };
  const first = await drive(page, { shell, script: { builder: [turn(sh('make'))] }, ...options });
  isClosed(first);
  evening(p);
  return { p, id: first.id };
}

for (const [value, isAgents] of [[{ 'src/made.ts': 'agent' }, true], ['user', false]]) {
  test(`the user says whose a file of a command is, before the attempt is judged: ${JSON.stringify(value)}`, async (t) => {
    const { p, id } = await closedInCommand(t);
    const builder = [turn(write('src/a.ts', 'AGENT\n'), done())];
    const asked = await drive(p.page(), { resume: id, shell: () => 0, script: { builder } });
    assert.equal(asked.result?.reason, 'waiting', asked.error?.message);
    isNamed(asked, 'src/made.ts', ['status']);
    const [question] = asked.result.questions;
    assert.deepEqual([question.kind, question.details.files.map(({ path, change }) => [path, change])], ['whose', [['src/made.ts', 'created']]]);
    isShipped(await drive(p.page(), { resume: id, shell: () => 0, answers: { [question.id]: { decision: 'allow', value } }, script: { builder } }));
    assert.deepEqual(p.committed(), isAgents ? ['src/a.ts', 'src/made.ts'] : ['src/a.ts']);
    assert.equal(p.text('src/made.ts'), 'COMMAND\n');
    stays(p);
  });
}

test('the hook `whose` answers, and a page goes on', async (t) => {
  const { p, id } = await closedInCommand(t);
  const asked = [];
  const hooks = { whose: ({ files }) => (asked.push(...files.map(({ path }) => path)), { decision: 'allow', value: { 'src/made.ts': 'agent' } }) };
  isShipped(await drive(p.page(), { resume: id, shell: () => 0, hooks, script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())] } }));
  assert.deepEqual([asked, p.committed()], [['src/made.ts'], ['src/a.ts', 'src/made.ts']]);
  stays(p);
});

test('`run.edited` answers the question directly after the resume', async (t) => {
  const { p, id } = await closedInCommand(t);
  const builder = [meanwhile(({ run }) => run.edited(['src/made.ts']), turn(write('src/a.ts', 'AGENT\n'), done()))];
  isShipped(await drive(p.page(), { resume: id, shell: () => 0, script: { builder } }));
  assert.deepEqual([p.committed(), p.text('src/made.ts')], [['src/a.ts'], 'COMMAND\n']);
  stays(p);
});

test('`approvals.whose` gives the changes to the user without a question', async (t) => {
  const { p, id } = await closedInCommand(t);
  isShipped(await drive(p.page(), { resume: id, shell: () => 0, config: { approvals: { whose: 'user' } }, script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())] } }));
  assert.deepEqual([p.committed(), p.text('src/made.ts')], [['src/a.ts'], 'COMMAND\n']);
  stays(p);
});

test('the evening after a page that was closed in a step of the verification stays', async (t) => {
  const p = project(t);
  const page = p.page();
  const config = { verification: { enabled: true, steps: [{ name: 'Types', command: 'tsc' }] } };
  const first = await drive(page, { shell: () => (p.put('generated.ts', 'STEP\n'), page.close()), config, script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())] } });
  isClosed(first);
  evening(p);
  isShipped(await drive(p.page(), { resume: first.id, shell: () => 0, config, script: { builder: [turn(done())] } }));
  stays(p);
  assert.deepEqual(p.committed(), ['src/a.ts']);
});
