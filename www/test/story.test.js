import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { decide } = await load('model/story/landing/decide.ts');
const { observe } = await load('model/story/observe.ts');
const { appSource, flawedSectionSource, planSource, sectionSource, summarySource } = await load('model/story/landing/page.ts');

const FIRST = ['hero', 'features', 'cta'];
const SCAFFOLD = '<p>Edit src/App.tsx to get started</p>';
const TASK = '# Task: x\nCounter: 1\n';

/** The first messages of an iteration. */
function conversation({ phase, files, listing }) {
  const sections = Object.entries({ ...files, "the project's files": listing.join('\n') });
  const prompt = `Phase: ${phase}\n${sections.map(([title, text]) => `\n[section-0 begin: ${title}]\n${text}\n[section-0 end: ${title}]\n`).join('')}`;
  return [{ role: 'system', content: 's' }, { role: 'user', content: prompt }];
}

/** The turns of an iteration after the first one, as `name path` lists. */
function turns({ phase, sources, files = {} }) {
  const messages = conversation({ phase, files: { '.ralph/task.md': TASK, ...files }, listing: Object.keys(sources) });
  const taken = [];
  while (!taken.flat().includes('complete_task')) {
    const { calls } = decide(observe(messages));
    taken.push(calls.map(({ name, args }) => (args.path || args.command ? `${name} ${args.path ?? args.command.split(' ', 2).join(' ')}` : name)));
    const made = calls.map(({ name, args }, index) => ({ id: `${messages.length}-${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }));
    messages.push({ role: 'assistant', content: '', tool_calls: made });
    for (const [index, { id }] of made.entries()) messages.push({ role: 'tool', tool_call_id: id, content: sources[calls[index].args.path] ?? 'done' });
  }
  return taken.slice(1);
}

const THEMED = { 'src/index.css': ':root { --sidebar-ring: oklch(0.6 0.1 45); }' };
const page = { ...THEMED, 'src/App.tsx': appSource(FIRST), 'src/sections/HeroSection.tsx': sectionSource('hero') };
const plan = planSource(FIRST, 1);
const summary = summarySource(FIRST);

for (const [when, given, expected] of [
  ['there is no plan', { phase: 'plan', sources: { 'src/App.tsx': SCAFFOLD } }, [['write_file .ralph/plan.tsx', 'complete_task']]],
  ['the plan was refused', { phase: 'plan', sources: { 'src/App.tsx': SCAFFOLD }, files: { '.ralph/plan.tsx': plan.replace('"hero"', '"heros"') } }, [['write_file .ralph/plan.tsx'], ['complete_task']]],
  ['the plan is valid and there is no page', { phase: 'build', sources: { 'src/App.tsx': SCAFFOLD }, files: { '.ralph/plan.tsx': plan } }, [['complete_task']]],
  ['the hero has a hard-coded color and no gate ran', { phase: 'build', sources: { ...page, 'src/sections/HeroSection.tsx': flawedSectionSource('hero') }, files: { '.ralph/plan.tsx': plan, '.ralph/summary.md': summary } }, [['complete_task']]],
  ['a gate found the color', { phase: 'build', sources: { ...page, 'src/sections/HeroSection.tsx': flawedSectionSource('hero') }, files: { '.ralph/plan.tsx': plan, '.ralph/summary.md': summary, '.ralph/feedback.md': '## FAIL [no-hardcoded-colors]' } }, [['write_file src/sections/HeroSection.tsx'], ['complete_task']]],
  ['everything is built', { phase: 'build', sources: page, files: { '.ralph/plan.tsx': plan, '.ralph/summary.md': summary } }, [['complete_task']]],
  ['a later task names a section', { phase: 'plan', sources: page, files: { '.ralph/plan.tsx': plan, '.ralph/task.md': '# Task\nCounter: 2\n> Add a FAQ' } }, [['write_file .ralph/plan.tsx'], ['complete_task']]],
  ['that section is in the plan', { phase: 'build', sources: page, files: { '.ralph/plan.tsx': planSource([...FIRST, 'faq'], 2, 'faq'), '.ralph/task.md': '# Task\nCounter: 2\n> Add a FAQ' } }, [['write_file src/sections/FaqSection.tsx'], ['write_file src/App.tsx', 'write_file .ralph/summary.md'], ['complete_task']]],
]) {
  test(`the story, when ${when}`, () => assert.deepEqual(turns(given), expected));
}

const refused = { phase: 'build', files: { '.ralph/plan.tsx': plan, '.ralph/feedback.md': '## FAIL [app-has-content]' } };
const BUILD = [
  'write_file src/sections/HeroSection.tsx', 'write_file src/sections/FeaturesSection.tsx', 'write_file src/sections/CtaSection.tsx', 'write_file src/page.css', 'write_file src/App.tsx', 'write_file .ralph/summary.md', 'complete_task',
];

test('the story, when a gate failed the template, builds the page with one flaw', () => {
  assert.deepEqual(turns({ ...refused, sources: { 'src/App.tsx': SCAFFOLD, ...THEMED } }).flat(), BUILD);
  assert.match(flawedSectionSource('hero'), /#b45309/);
  assert.doesNotMatch(sectionSource('hero'), /#[0-9a-f]{6}/);
});

test('the story, without a theme, applies one in the shell', () => {
  const sources = { 'src/App.tsx': SCAFFOLD, 'src/index.css': ':root { --background: oklch(1 0 0); }' };
  assert.deepEqual(turns({ ...refused, sources }).flat(), ['shell theme generate', ...BUILD]);
});

test('the story adds the markers that the feedback asks for', () => {
  const seen = { phase: 'plan', task: '# Task\nCounter: 2\n> Add a FAQ', plan, feedback: 'The requirement has no marker. Put {/* TASK-2 [FIX]: the header */} into home/hero.', summary: '', listing: '', turns: 1, source: () => appSource(FIRST) };
  assert.match(decide(seen).calls[0].args.content, /gumdrop="faq">\n +\{\/\* TASK-2 \[ADD\]: the faq section \*\/\}\n +\{\/\* TASK-2 \[FIX\]: the header \*\/\}\n/);
});

test('the story replaces the plan of an earlier task', () => {
  const feedback = 'Put {/* TASK-2 [ADD]: a landing page */} into home/hero.';
  const seen = { phase: 'plan', task: '# Task\nCounter: 2\n', plan: plan.replace('"hero"', '"heros"'), feedback, summary: '', listing: '', turns: 1, source: () => SCAFFOLD };
  const { content } = decide(seen).calls[0].args;
  assert.match(content, /gumdrop="hero" \/>\n +<Section gumdrop="features">\n +\{\/\* TASK-2 \[ADD\]: a landing page \*\/\}\n/);
  assert.equal(decide({ ...seen, plan: content }).calls[0].args.content, content);
});

test('the story does not treat build instructions as a failure', () => {
  const files = { '.ralph/plan.tsx': plan, '.ralph/summary.md': summary, '.ralph/feedback.md': '# Plan Validated — Build Instructions\n## Theme Applied ✓\n' };
  assert.deepEqual(turns({ phase: 'build', sources: page, files }), [['complete_task']]);
});
