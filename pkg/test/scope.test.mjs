import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import init, { LoopgateError, checkScope } from 'loopgate';

const file = new URL('../../tests/fixtures/scope/cases.jsonl', import.meta.url);
const cases = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const { before: one, plan: aPlan, taskNumber: aTask } = cases[0];

test('at least 95 % of the labelled cases are right, and no correct change fails', async () => {
  await init();
  const judged = cases.map(({ id, plan, taskNumber, before, after, overall, expect }) => {
    const report = checkScope({ plan, taskNumber, before, after });
    const markers = report.markers.map(({ section, marker, verdict }) => [section, marker, verdict]);
    const expected = expect.map(({ section, marker, verdict }) => [section, marker, verdict]);
    return { id, overall, found: report.overall, right: report.overall === overall, markers, expected };
  });
  const right = judged.filter((judgement) => judgement.right);
  const falseFails = judged.filter(({ overall, found }) => overall === 'pass' && found === 'fail');
  assert.ok(right.length / cases.length >= 0.95, JSON.stringify(judged.filter((judgement) => !judgement.right)));
  assert.deepEqual(falseFails, []);
  const keys = (markers) => markers.map(([section, marker]) => `${section} ${marker}`);
  for (const { id, markers, expected } of judged) assert.deepEqual(keys(markers), keys(expected), id);
});

test('`after` may have all sources or only the changes', async () => {
  await init();
  let compared = 0;
  for (const { id, plan, taskNumber, before, after } of cases) {
    const all = Object.fromEntries(Object.entries({ ...before, ...after }).filter(([, text]) => text !== null));
    // Sources are read as changes unless one of them is unchanged.
    if (!Object.entries(all).some(([path, text]) => text === before[path])) continue;
    const changes = checkScope({ plan, taskNumber, before, after });
    assert.deepEqual(checkScope({ plan, taskNumber, before, after: all }), changes, id);
    compared += 1;
  }
  assert.ok(compared > 0);
});

test('`checkScope` throws for wrong types, never for invalid plans or sources', async () => {
  await init();
  const nested = `const x = ${'('.repeat(100_000)}1${')'.repeat(100_000)}`;
  for (const text of ['', '<', '{', nested, '\u{1F355}\uFFFF', '\uD83C', 'export default () => <p>']) {
    const sources = { 'src/App.tsx': text, 'src/locales/en.json': text };
    assert.equal(typeof checkScope({ plan: aPlan, taskNumber: aTask, before: one, after: sources }).overall, 'string');
    assert.deepEqual(checkScope({ plan: text, taskNumber: aTask, before: sources, after: sources }), { overall: 'pass', markers: [] });
  }
  for (const input of [
    { plan: 1, taskNumber: 1, before: {}, after: {} },
    { plan: aPlan, taskNumber: 1.5, before: {}, after: {} },
    { plan: aPlan, taskNumber: 1, before: { a: 1 }, after: {} },
    { plan: aPlan, taskNumber: 1, before: {}, after: { a: {} } },
  ]) {
    assert.throws(() => checkScope(input), (error) => error instanceof LoopgateError && error.code === 'invalid-argument');
  }
});
