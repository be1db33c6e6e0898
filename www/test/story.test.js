import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import init, { checkScope, validatePlan } from 'loopgate';
import { load } from './load.js';

const { answer } = await load('model/story/player.ts');
const STORIES = [
  ...Object.values(await load('model/story/drinks/stories.ts')),
  ...(await Promise.all(['landing', 'asks', 'cart', 'checkout'].map((name) => load(`model/story/${name}/story.ts`)))).flatMap(Object.values),
];
const story = (id) => STORIES.find((story) => story.id === id);
before(() => init());

/** The first messages of an iteration. `files` are sections of the prompt by their titles. */
function conversation({ phase = 'build', message, number = 1, files = {}, sources = {} }) {
  const task = message && `# Task: x\nType: fresh\nCounter: ${number}\n\n## Original Message\n> ${message}\n`;
  const sections = Object.entries({ ...(task && { '.ralph/task.md': task }), ...files, "the project's files": Object.keys(sources).join('\n') });
  const prompt = `Phase: ${phase}\n${sections.map(([title, text]) => `\n[section-0 begin: ${title}]\n${text.replace(/\n?$/, '\n')}[section-0 end: ${title}]\n`).join('')}`;
  return [{ role: 'system', content: 's' }, { role: 'user', content: prompt }];
}

/** Plays one iteration of a part: the calls as `name path`, and the written texts by path. */
function iteration(id, { part = 0, sources = {}, ...given }) {
  const { parts } = story(id);
  const { work } = parts[part];
  const messages = conversation({ ...(work.kind === 'task' && { message: work.message }), sources, ...given });
  const taken = [];
  while (!taken.some(({ name }) => name === 'complete_task')) {
    const { calls } = answer(parts, { messages });
    if (!calls.length) break;
    taken.push(...calls);
    const made = calls.map(({ name, args }, index) => ({ id: `${messages.length}-${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }));
    messages.push({ role: 'assistant', content: '', tool_calls: made });
    for (const [index, { id }] of made.entries()) messages.push({ role: 'tool', tool_call_id: id, content: sources[calls[index].args.path] ?? 'done' });
  }
  const names = taken.map(({ name, args }) => [name, args.path ?? args.command?.split(' ', 3).join(' ')].filter(Boolean).join(' '));
  return { names: names.filter((name) => !name.startsWith('read_file')), written: Object.fromEntries(taken.filter(({ name }) => name === 'write_file').map(({ args }) => [args.path, args.content])) };
}

test('the planner of the checkout has no step for a receipt that the user does not want', () => {
  const SPEC = '.handoff/specs/checkout/spec.md';
  const planned = (spec) => {
    const messages = conversation({ phase: 'plan', files: { 'the spec': SPEC } });
    messages.push({ role: 'assistant', content: '', tool_calls: [{ id: '1', type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path: SPEC }) } }] }, { role: 'tool', tool_call_id: '1', content: spec });
    return answer(story('checkout').parts, { role: 'planner', messages }).calls[0].args.chunks.map(({ id }) => id);
  };
  assert.deepEqual(planned('- R4: A paid order has a receipt.'), ['order', 'payment', 'hold', 'receipt']);
  assert.deepEqual(planned('- R3: A visitor pays once.'), ['order', 'payment', 'hold']);
});

test('a story is data', () => {
  assert.equal(STORIES.length, 8);
  for (const story of STORIES) assert.deepEqual(JSON.parse(JSON.stringify(story)), story);
});

test('every story names the mistake that it is about', () => {
  for (const { id, watch } of STORIES) assert.equal(watch.filter(({ caught }) => caught).length, 1, id);
});

for (const [what, message] of [
  ['another task', 'Make a todo app'],
  ['a task that has the message of the story in it', 'Fix the broken link in the CTA. Make it dark.'],
  ['the message of the story with an answer', 'Fix the broken link in the CTA.\n> \n> yes'],
]) {
  test(`the script has no answer to ${what}`, () => {
    assert.throws(() => answer(story('claimed').parts, { messages: conversation({ message }) }), /can only play its story/);
  });
}

test('the script goes on after a message of the user', () => {
  const message = 'Fix the broken link in the CTA.\n\n## Added by the user while the task ran\n> Use warm words';
  assert.doesNotThrow(() => answer(story('claimed').parts, { messages: conversation({ message }) }));
});

test('the script has no answer to another spec', () => {
  for (const id of ['wrong-plan', 'checkout']) assert.throws(() => answer(story(id).parts, { role: 'planner', messages: conversation({ phase: 'plan', files: { 'the spec': 'specs/0002-mine.md' } }) }), /can only play/, id);
});

const SCAFFOLD = { 'src/App.tsx': '<p>Edit src/App.tsx to get started</p>', 'src/index.css': '--sidebar-ring: x;' };
const BUILD = ['write_file src/sections/HeroSection.tsx', 'write_file src/sections/FeaturesSection.tsx', 'write_file src/sections/CtaSection.tsx', 'write_file src/page.css', 'write_file src/App.tsx', 'write_file .ralph/summary.md', 'complete_task'];
const REFUSED = { '.ralph/feedback.md': '## FAIL [app-has-content]\n' };
const built = iteration('landing', { sources: SCAFFOLD, files: REFUSED }).written;
const page = { ...SCAFFOLD, ...built };
const summary = { '.ralph/summary.md': built['.ralph/summary.md'] };
const plan = iteration('landing', { phase: 'plan', files: { '.ralph/plan.tsx': '<Section gumdrop="heros" />' } }).written['.ralph/plan.tsx'];

for (const [when, given, expected] of [
  ['there is no plan', { phase: 'plan', sources: SCAFFOLD }, ['write_file .ralph/plan.tsx', 'complete_task']],
  ['the plan was refused', { phase: 'plan', sources: SCAFFOLD, files: { '.ralph/plan.tsx': '<Section gumdrop="heros" />' } }, ['write_file .ralph/plan.tsx', 'complete_task']],
  ['the plan is valid and there is no page', { sources: SCAFFOLD, files: { '.ralph/plan.tsx': plan } }, ['complete_task']],
  ['a check failed the template', { sources: SCAFFOLD, files: REFUSED }, BUILD],
  ['there is no theme', { sources: { ...SCAFFOLD, 'src/index.css': '' }, files: REFUSED }, ['shell theme generate --seed', ...BUILD]],
  ['the hero has a hard-coded color and no check ran', { sources: page, files: summary }, ['complete_task']],
  ['a check found the color', { sources: page, files: { ...summary, '.ralph/feedback.md': '## FAIL [no-hardcoded-colors]\n' } }, ['write_file src/sections/HeroSection.tsx', 'complete_task']],
  ['a later task names a section', { part: 2, number: 2, phase: 'plan', sources: page, files: { '.ralph/plan.tsx': plan } }, ['write_file .ralph/plan.tsx', 'complete_task']],
  ['that section is in the plan', { part: 2, number: 2, sources: page, files: { '.ralph/plan.tsx': '<Section gumdrop="hero" /> <Section gumdrop="faq" />' } }, ['write_file src/sections/FaqSection.tsx', 'write_file src/App.tsx', 'write_file .ralph/summary.md', 'complete_task']],
]) {
  test(`the landing page, when ${when}`, () => assert.deepEqual(iteration('landing', given).names, expected));
}

test('the landing page has one flaw at first, and keeps the sections of earlier tasks', () => {
  assert.match(built['src/sections/HeroSection.tsx'], /#b45309/);
  const sources = { ...page, 'src/sections/PricingSection.tsx': '' };
  const files = { '.ralph/plan.tsx': plan.replace('<Section gumdrop="cta" />', '<Section gumdrop="cta" /><Section gumdrop="pricing" />') };
  const later = iteration('landing', { part: 2, number: 3, sources, files }).written['src/App.tsx'];
  assert.deepEqual([...later.matchAll(/<(\w+)Section \/>/g)].map(([, name]) => name), ['Hero', 'Features', 'Cta', 'Pricing', 'Faq']);
  const planned = iteration('landing', { part: 2, number: 3, phase: 'plan', sources, files }).written['.ralph/plan.tsx'];
  const { failures, warnings, markers } = validatePlan(planned, { taskNumber: 3 });
  assert.deepEqual([failures, warnings, markers.map(({ section }) => section)], [[], [], ['hero', 'features', 'cta', 'pricing', 'faq']]);
});

const FLAVORS = 'src/data/flavors.ts';
const shop = Object.fromEntries(story('claimed').opening.scenes.flatMap(({ turns }) => turns).flatMap(({ calls }) => calls).filter(({ args }) => args.path?.startsWith('src/')).map(({ args }) => [args.path, args.content]));
const names = (text) => [...text.matchAll(/name: '(.*?)'/g)].map((match) => match[1]);

for (const id of ['converted', 'freed', 'rolled-back']) {
  test(`the plan of the story ${id} is valid and has a marker in every section`, () => {
    const { written } = iteration(id, { phase: 'plan', number: 3, sources: shop });
    const report = validatePlan(written['.ralph/plan.tsx'], { taskNumber: 3 });
    assert.deepEqual([report.failures, report.warnings], [[], []]);
    assert.deepEqual([...new Set(report.markers.map(({ section }) => section).filter(Boolean))], ['hero', 'features', 'faq', 'cta']);
  });
}

test('the scope check fails the converted drinks and passes the added ones', () => {
  const plan = iteration('converted', { phase: 'plan', number: 3, sources: shop }).written['.ralph/plan.tsx'];
  const judge = (after) => checkScope({ plan, taskNumber: 3, before: shop, after: { ...shop, ...after } });
  const wrong = iteration('converted', { sources: shop }).written;
  assert.deepEqual([names(shop[FLAVORS]).length, names(wrong[FLAVORS]).length], [8, 8]);
  const verdicts = Object.fromEntries(judge(wrong).markers.map(({ section, marker, verdict }) => [`${section} ${marker}`, verdict]));
  assert.deepEqual(verdicts, { 'hero MODIFY': 'warn', 'features ADD': 'fail', 'features PRESERVED': 'fail', 'faq NO CHANGES': 'pass', 'cta MODIFY': 'warn' });
  const right = iteration('converted', { files: { '.ralph/feedback.md': '## FAIL [scope]\n' }, sources: { ...shop, ...wrong } }).written;
  assert.equal(judge({ ...wrong, ...right }).overall, 'pass');
  assert.deepEqual(names(right[FLAVORS]), [...names(shop[FLAVORS]), 'Moonlit Calm', 'Deep Rest']);
  assert.deepEqual(iteration('converted', { sources: { ...shop, ...wrong } }).written, {}, 'without a failed check, the agent changes nothing');
});

const CTA = 'src/sections/CtaSection.tsx';
const CLAIM_REFUSED = { '.ralph/feedback.md': '## FAIL [work-done]\n' };

for (const [id, when, given, expected] of [
  ['claimed', 'nothing was judged', {}, ['write_file .ralph/summary.md', 'complete_task']],
  ['claimed', 'the claim was refused', { files: CLAIM_REFUSED }, [`edit_file ${CTA}`, 'complete_task']],
  ['claimed', 'the comment was refused', { files: CLAIM_REFUSED, sources: { ...shop, [CTA]: `// The link of the button is fixed.\n${shop[CTA]}` } }, [`edit_file ${CTA}`, `edit_file ${CTA}`, 'write_file .ralph/summary.md', 'complete_task']],
  ['claimed', 'the link is fixed', { sources: { ...shop, [CTA]: shop[CTA].replace('mailto:orders@example.com', 'mailto:orders@vibrant.example?subject=My%20order') } }, ['complete_task']],
  ['freed', 'no stall was found', {}, ['edit_file src/sections/HeroSection.tsx']],
  ['freed', 'it gets guidance', { files: { '.ralph/feedback.md': '## Stall Recovery (iteration 4)\n' } }, ['write_file src/sections/HeroSection.tsx', 'write_file .ralph/summary.md', 'complete_task']],
  ['rolled-back', 'it starts', {}, ['write_file src/sections/FeaturesSection.tsx', 'write_file .ralph/summary.md', 'complete_task']],
  ['rolled-back', 'it gets guidance', { files: { '.ralph/feedback.md': '## Stall Recovery (iteration 5)\n' }, sources: { ...shop, 'src/sections/FeaturesSection.tsx': "from 'swiper/react'" } }, ['shell npm install swiper']],
]) {
  test(`the agent of the story ${id}, when ${when}`, () => assert.deepEqual(iteration(id, { sources: shop, ...given }).names, expected));
}
