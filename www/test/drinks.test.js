import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import init, { checkScope, validatePlan } from 'loopgate';
import { load } from './load.js';

const { addedFlavors, convertedFlavors, CTA, files, FEATURES, FLAVORS, HERO, planSource, source } = await load('model/story/drinks/shop.ts');
const { BROKEN, COMMENT, FIXED } = await load('model/story/drinks/claimed.ts');
const { STORIES } = await load('model/story/stories.ts');
before(() => init());

const shop = Object.fromEntries(files);
const names = (text) => [...text.matchAll(/name: '(.*?)'/g)].map((match) => match[1]);

/** Plays one iteration: the calls, and the written files by path. */
function iteration(id, seen) {
  const { decide } = STORIES.find((story) => story.id === id);
  const calls = [];
  for (let turns = 0; ; turns++) {
    const turn = decide({ phase: 'build', task: 'Counter: 3', plan: '', feedback: '', summary: '', listing: '', source: (path) => shop[path] ?? '', ...seen, turns });
    calls.push(...turn.calls);
    if (!turn.calls.length || turn.calls.some(({ name }) => name === 'complete_task')) break;
  }
  const written = Object.fromEntries(calls.filter(({ name }) => name === 'write_file').map(({ args }) => [args.path, args.content]));
  return { names: calls.map(({ name, args }) => `${name} ${args.path ?? args.command ?? ''}`.trim()), written };
}

test('the shop has eight flavors; the wrong version converts four, and the right one adds two', () => {
  const eight = names(shop[FLAVORS]);
  assert.equal(eight.length, 8);
  const converted = names(convertedFlavors());
  assert.deepEqual([converted.length, converted.slice(0, 4), converted.filter((name) => eight.includes(name)).length], [8, eight.slice(0, 4), 4]);
  assert.deepEqual(names(addedFlavors()).slice(0, 8), eight);
  assert.equal(names(addedFlavors()).length, 10);
});

for (const id of ['converted', 'freed', 'rolled-back']) {
  test(`the plan of the story ${id} is valid and has a marker in every section`, () => {
    const { written } = iteration(id, { phase: 'plan' });
    const report = validatePlan(written['.ralph/plan.tsx'], { taskNumber: 3 });
    assert.deepEqual([report.failures, report.warnings], [[], []]);
    assert.deepEqual([...new Set(report.markers.map(({ section }) => section).filter(Boolean))], ['hero', 'features', 'faq', 'cta']);
  });
}

test('the plan of the shop has no markers', () => {
  const report = validatePlan(planSource(2), { taskNumber: 2 });
  assert.deepEqual([report.failures, report.warnings, report.markers], [[], [], []]);
});

test('the scope gate fails the converted drinks and passes the added ones', () => {
  const plan = iteration('converted', { phase: 'plan' }).written['.ralph/plan.tsx'];
  const judge = (after) => checkScope({ plan, taskNumber: 3, before: shop, after: { ...shop, ...after } });
  const wrong = iteration('converted', {}).written;
  const verdicts = Object.fromEntries(judge(wrong).markers.map(({ section, marker, verdict }) => [`${section} ${marker}`, verdict]));
  assert.deepEqual(verdicts, { 'hero MODIFY': 'warn', 'features ADD': 'fail', 'features PRESERVED': 'fail', 'faq NO CHANGES': 'pass', 'cta MODIFY': 'warn' });
  const seen = { ...shop, ...wrong };
  const right = iteration('converted', { feedback: '## FAIL [scope]', source: (path) => seen[path] ?? '' }).written;
  assert.equal(judge({ ...wrong, ...right }).overall, 'pass');
  const unjudged = iteration('converted', { source: (path) => seen[path] ?? '' });
  assert.deepEqual(unjudged.written, {}, 'without a gate report, the agent changes nothing');
});

test('the claiming agent changes a file only after work-done failed', () => {
  assert.deepEqual(iteration('claimed', {}).names, [`read_file ${CTA}`, 'write_file .ralph/summary.md', 'complete_task']);
  const failed = { feedback: '## FAIL [work-done]' };
  assert.deepEqual(iteration('claimed', failed).names, [`read_file ${CTA}`, `edit_file ${CTA}`, 'complete_task']);
  const commented = { ...failed, source: () => `${COMMENT}\n${shop[CTA]}` };
  assert.deepEqual(iteration('claimed', commented).names, [`read_file ${CTA}`, `edit_file ${CTA}`, `edit_file ${CTA}`, 'write_file .ralph/summary.md', 'complete_task']);
  assert.ok(shop[CTA].includes(BROKEN));
  const fixed = shop[CTA].replace(BROKEN, FIXED);
  assert.deepEqual(iteration('claimed', { source: () => fixed }).names, [`read_file ${CTA}`, 'complete_task']);
});

test('the stalled agent repeats itself until the stall recovery, then follows the guidance', () => {
  assert.deepEqual(iteration('freed', {}), iteration('freed', { feedback: '## FAIL [has-summary]' }));
  assert.deepEqual(iteration('freed', {}).names, [`edit_file ${HERO}`]);
  const { names, written } = iteration('freed', { feedback: '## Stall Recovery (iteration 4)' });
  assert.deepEqual(names, [`read_file ${HERO}`, `write_file ${HERO}`, 'write_file .ralph/summary.md', 'complete_task']);
  assert.equal(written[HERO], source('HeroSection'));
});

test('the agent of the rolled-back story changes a file and ignores the stall recovery', () => {
  assert.match(iteration('rolled-back', {}).written[FEATURES], /swiper/);
  const stuck = { source: () => source('Carousel') };
  assert.deepEqual(iteration('rolled-back', stuck).names, [`read_file ${FEATURES}`, 'shell npm install swiper']);
  assert.deepEqual(iteration('rolled-back', { ...stuck, feedback: '## Stall Recovery (iteration 5)' }), iteration('rolled-back', stuck));
});
