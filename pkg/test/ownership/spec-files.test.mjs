// The files of the specs: no command and no tool of a role rewrites what another role reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, isShipped, meanwhile, project, sh, tool, turn, withoutWaits, write } from './project.mjs';

const SPEC = 'specs/0001-notes.md';
const PLAN = 'specs/plans/0001-notes.md';
const DONE = 'specs/done/0002-more.md';
const SPECS = { [SPEC]: '# Notes\nWrite src/a.ts.\n', 'specs/0002-more.md': '# More\nWrite src/b.ts.\n' };
const PLAN_TEXT = '# Plan\n\n## Steps\n1. Follow the spec.\n';
const planOf = (id) => turn(write(`specs/plans/${id}.md`, PLAN_TEXT), done());
const accept = turn(done({ verdict: 'accept', reason: 'It is all there.' }));
const attempt = turn(write('src/a.ts', 'AGENT\n'), done());
const forge = (p) => p.put(DONE, '# More\n\n- spec: specs/0002-more.md\n');

/**
 * The implementer of the first spec makes a call, which changes files. When it has ended, `look` reads what is left. `paths` are
 * denied, and named in the result.
 */
async function implement(t, { change, look, expected, paths, call = sh('change'), tools }) {
  withoutWaits(t);
  const p = project(t, { files: SPECS });
  let seen;
  const builder = [turn(call), meanwhile(() => (seen = look(p)), attempt)];
  const ports = { shell: () => change(p), tools: tools?.map((tool) => ({ ...tool, execute: () => (change(p), 'ok') })) };
  const outcome = await drive(p.page(), { work: { kind: 'spec', path: SPEC }, ...ports, script: { planner: [planOf('0001-notes')], builder, verifier: [accept] } });
  isShipped(outcome);
  assert.deepEqual(seen, expected);
  const denied = outcome.of('write-denied').map(({ path }) => path);
  const { output } = outcome.of('tool-result').find(({ id }) => id === call.id);
  for (const path of paths) {
    assert.ok(denied.includes(path), `no write-denied for ${path}: ${denied}`);
    assert.ok(output.includes(path), output);
  }
  return { p, outcome };
}

test('a command of the implementer does not rewrite the spec that the verifier gets', async (t) => {
  const change = (p) => p.put(SPEC, '# Notes\nDo nothing.\n');
  const { outcome } = await implement(t, { change, look: (p) => p.text(SPEC), expected: SPECS[SPEC], paths: [SPEC] });
  assert.match(outcome.prompts('verifier')[0], /Write src\/a\.ts\./);
  assert.doesNotMatch(outcome.prompts('verifier')[0], /Do nothing/);
});

test('a command of the implementer does not rewrite the plan', async (t) => {
  const change = (p) => p.put(PLAN, '# Plan\nDo nothing.\n');
  const { outcome } = await implement(t, { change, look: (p) => p.text(PLAN), expected: PLAN_TEXT, paths: [PLAN] });
  assert.doesNotMatch(outcome.prompts('verifier')[0], /Do nothing/);
});

test('a command of the implementer does not delete the other specs and their plans', async (t) => {
  const change = (p) => ['specs/0002-more.md', PLAN].forEach(p.remove);
  const look = (p) => [p.text('specs/0002-more.md'), p.text(PLAN)];
  await implement(t, { change, look, expected: [SPECS['specs/0002-more.md'], PLAN_TEXT], paths: ['specs/0002-more.md', PLAN] });
});

for (const [how, more] of [
  ['a command', {}],
  ['a tool of the IDE', { call: tool('report'), tools: [{ name: 'report', description: 'reports', writes: true }] }],
  ['a tool of the IDE without `writes`', { call: tool('report'), tools: [{ name: 'report', description: 'reports' }] }],
]) {
  test(`a done file that ${how} writes for the implementer is removed, and the next run implements that spec`, async (t) => {
    const { p } = await implement(t, { change: forge, look: (p) => p.has(DONE), expected: false, paths: [DONE], ...more });
    const script = { planner: [planOf('0002-more')], builder: [turn(write('src/b.ts', 'AGENT\n'), done())], verifier: [accept] };
    const second = await drive(p.page(), { work: { kind: 'spec' }, script });
    isShipped(second);
    assert.deepEqual(second.of('spec-finished').map(({ spec }) => spec), ['specs/0002-more.md']);
    assert.equal(p.text('src/b.ts'), 'AGENT\n');
  });
}

for (const [what, path] of [
  ['the chunks', '.handoff/specs/shop/chunks.json'],
  ['the configuration', '.handoff/config.yaml'],
]) {
  test(`a command of an executor does not rewrite ${what}`, async (t) => {
    const p = project(t, { files: { '.handoff/config.yaml': 'rules: [be brief]\n' } });
    let before, seen;
    const shell = () => {
      before = p.text(path);
      p.put(path, 'AGENT: 1\n');
    };
    const outcome = await drive(p.page(), { shell, script: { builder: [turn(sh('change')), meanwhile(() => (seen = p.text(path)), attempt)] } });
    isShipped(outcome);
    assert.equal(seen, before);
    assert.ok(outcome.of('write-denied').some((event) => event.path === path));
    assert.deepEqual(p.committed(), ['src/a.ts']);
  });
}
