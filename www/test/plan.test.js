import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Text } from '@codemirror/state';
import init, { validatePlan } from 'loopgate';
import { load } from './load.js';

const { edited, FIRST_PLAN, isChanged, keepMine, opened, reloaded, takeTheirs } = await load('plan/document.ts');
const { outline, plainMessage, problemsOf, unplanned } = await load('plan/outline.ts');
const { changesFor, offset, rangeOf } = await load('plan/editor/places.ts');
before(() => init());

const wrap = (body) => `export default (\n  <App name="Shop" description="Sells">\n${body}\n  </App>\n);\n`;

// The document

for (const [when, document, file, expected] of [
  ['nothing changed', opened('a'), 'a', { saved: 'a', text: 'a' }],
  ['only the file changed', opened('a'), 'b', { saved: 'b', text: 'b' }],
  ['the file was created', opened(null), 'a', { saved: 'a', text: 'a' }],
  ['the file was deleted and the editor has no changes', opened('a'), null, { saved: null, text: '' }],
  ['only the editor changed', edited(opened('a'), 'x'), 'a', { saved: 'a', text: 'x' }],
  ['both changed to the same text', edited(opened('a'), 'x'), 'x', { saved: 'x', text: 'x' }],
  ['both changed', edited(opened('a'), 'x'), 'b', { saved: 'a', text: 'x', theirs: { text: 'b' } }],
  ['the file was deleted and the editor has changes', edited(opened('a'), 'x'), null, { saved: 'a', text: 'x', theirs: { text: null } }],
  ['the file changed back', reloaded(edited(opened('a'), 'x'), 'b'), 'a', { saved: 'a', text: 'x' }],
]) {
  test(`reloading the file, when ${when}`, () => assert.deepEqual(reloaded(document, file), expected));
}

test('a conflict is resolved with either version', () => {
  const conflict = reloaded(edited(opened('a'), 'x'), 'b');
  assert.deepEqual(takeTheirs(conflict), { saved: 'b', text: 'b' });
  assert.deepEqual(keepMine(conflict), { saved: 'b', text: 'x' });
  assert.equal(isChanged(keepMine(conflict)), true);
  assert.deepEqual(keepMine(reloaded(edited(opened('a'), 'x'), null)), { saved: null, text: 'x' });
});

test('the initial plan of the editor is valid', () => {
  const { failures, warnings } = validatePlan(FIRST_PLAN);
  assert.deepEqual([failures, warnings], [[], []]);
});

// Places and suggestions

test('positions outside of the text are clamped', () => {
  const text = Text.of(['ab', '', '😀c']);
  assert.deepEqual([offset(text, 1, 1), offset(text, 1, 9), offset(text, 0, 0), offset(text, 3, 3), offset(text, 99, 1)], [0, 2, 0, 6, 4]);
  assert.deepEqual(rangeOf(text, { line: 1, column: 3 }), { from: 1, to: 2 });
  assert.deepEqual(rangeOf(text, { line: 2, column: 1 }), { from: 3, to: 3 });
});

for (const [what, body, id, suggestion, expected] of [
  ['a value', '    <Theme mood="mono" /><Screen name="a"><Section gumdrop="heros" /></Screen>', 'valid-gumdrops', 'hero', '<Section gumdrop="hero" />'],
  ['a value in braces', `    <Theme mood={'organik'} /><Screen name="a"><Section gumdrop="hero" /></Screen>`, 'valid-mood', 'organic', `<Theme mood={'organic'} />`],
  ['a prop', '    <Theme mood="mono" /><Screen name="a"><Section gumdrop="hero" varant="x" /></Screen>', 'unknown-prop', 'variant', '<Section gumdrop="hero" variant="x" />'],
  ['a tag that closes itself', '    <Theme mood="mono" /><Screen name="a"><Sektion gumdrop="hero" /></Screen>', 'unknown-component', 'Section', '<Section gumdrop="hero" />'],
]) {
  test(`a suggestion changes ${what}`, () => {
    const source = wrap(body);
    const text = Text.of(source.split('\n'));
    const problem = problemsOf(validatePlan(source)).find((problem) => problem.id === id);
    assert.equal(problem.suggestions[0], suggestion);
    assert.doesNotMatch(plainMessage(problem), /^Line|Did you mean|gumdrop "/);
    const changes = changesFor(text, problem, suggestion, () => null);
    let after = source;
    for (const { from, to, insert } of changes.toReversed()) after = after.slice(0, from) + insert + after.slice(to);
    assert.ok(after.includes(expected), after);
    assert.equal(problemsOf(validatePlan(after)).some((problem) => problem.id === id), false);
  });
}

test('the closing tag is renamed as well', () => {
  const text = Text.of(['<Screeen></Screeen>']);
  const problem = { id: 'unknown-component', line: 1, column: 1, endLine: 1, endColumn: 9, message: '' };
  assert.deepEqual(changesFor(text, problem, 'Screen', () => ({ from: 11, to: 18 })), [{ from: 1, to: 8, insert: 'Screen' }, { from: 11, to: 18, insert: 'Screen' }]);
});

// The outline

const PLAN = wrap(`    <Theme mood="organic" seed={45} pattern="analogous">{/* TASK-2 [MODIFY]: warmer */}</Theme>
    <Screen name="home" layout="stack">
      <Nav gumdrop="sidebar-nav"><NavItem label="a" to="/" /></Nav>
      <Content>
        <Section gumdrop="hero" variant="centered" />
        <Section gumdrop="hero">{/* TASK-2 [ADD]: a picture */}</Section>
      </Content>
      <Section gumdrop="data-table"><Column field="id" /><Column field="name" /><Action trigger="row" /></Section>
    </Screen>
    <Screen name="about"><Section gumdrop="hero" />{/* NO CHANGES for task-2 */}</Screen>
    <Data><Schema name="drink" fields={['id', 'name']} /><Endpoint resource="drinks" pattern="crud" /></Data>`);
const entry = (status, category, planned, rest = {}) => ({ status, category, planned, ...rest });
const ENTRIES = [
  entry('implemented', 'screen', 'home', { found: 'src/App.tsx' }),
  entry('implemented', 'section', 'hero', { found: 'src/sections/HeroSection.tsx' }),
  entry('deviation', 'section', 'hero#2', { detail: 'once only' }),
  entry('missing', 'section', 'data-table'),
  entry('implemented', 'screen', 'about'),
  entry('missing', 'section', 'hero'),
  entry('implemented', 'theme', 'mood="organic"'),
  entry('deviation', 'theme', 'font="Lora"', { detail: 'src/index.css has Inter' }),
  entry('implemented', 'data', 'Schema drink', { found: 'src/data.ts' }),
  entry('extra', 'section', '', { found: 'src/sections/FooSection.tsx' }),
];
const flat = (item, depth = 0) => [`${'  '.repeat(depth)}${item.kind} ${item.name}${item.about && ` (${item.about})`}${item.markers.map(({ kind }) => ` [${kind}]`).join('')}${item.built ? ` ${item.built.status}` : ''}`, ...item.items.flatMap((child) => flat(child, depth + 1))];

test('the outline has all parts with markers and build state', () => {
  assert.deepEqual(flat(outline(validatePlan(PLAN), ENTRIES)), [
    'app Shop (Sells)',
    '  theme organic (seed 45, analogous) [MODIFY] deviation',
    '  screen home (stack) implemented',
    '    section hero (centered) implemented',
    '    section hero [ADD] deviation',
    '    section data-table (2 columns, 1 action) missing',
    '  screen about [NO CHANGES] implemented',
    '    section hero missing',
    '  data Data',
    '    schema drink (id, name) implemented',
    '    endpoint drinks (crud)',
  ]);
  assert.deepEqual(unplanned(ENTRIES).map(({ found }) => found), ['src/sections/FooSection.tsx']);
});

test('the outline has positions and the differences of the theme', () => {
  const { items: [theme, home] } = outline(validatePlan(PLAN), ENTRIES);
  assert.deepEqual([theme.line, theme.column, home.items[1].line], [3, 5, 8]);
  assert.match(theme.built.detail, /font="Lora".*Inter/);
  assert.equal(home.items[0].built.found, 'src/sections/HeroSection.tsx');
});

test('an invalid plan has no outline; without a comparison there is no build state', () => {
  assert.equal(outline(validatePlan('export default ('), []), null);
  assert.equal(outline(validatePlan('export default (<Screen />)'), []), null);
  assert.ok(flat(outline(validatePlan(PLAN), [])).every((line) => !/implemented|missing|deviation/.test(line)));
});

test('verdicts are assigned to markers by kind and section, in order', () => {
  const verdict = (section, marker, verdict) => ({ section, marker, verdict, reason: `${marker} of ${section}` });
  const body = `<Theme mood="mono" /><Screen name="home">{/* TASK-2 [ADD]: a footer */}<Section gumdrop="hero">{/* TASK-2 [ADD]: 2 a */}{/* TASK-1 [FIX]: old */}</Section><Section gumdrop="hero">{/* TASK-2 [ADD]: 3 b */}{/* NO CHANGES for task-2 */}</Section></Screen>`;
  const verdicts = [verdict('home', 'ADD', 'warn'), verdict('hero', 'ADD', 'pass'), verdict('hero', 'ADD', 'fail'), verdict('hero', 'NO CHANGES', 'pass')];
  const { items: [, home] } = outline(validatePlan(wrap(body)), [], verdicts);
  const shown = ({ markers }) => markers.map(({ kind, judged }) => `${kind} ${judged?.verdict ?? 'not judged'}`);
  assert.deepEqual([home, ...home.items].map(shown), [['ADD warn'], ['ADD pass', 'FIX not judged'], ['ADD fail', 'NO CHANGES pass']]);
  assert.equal(home.items[1].markers[0].judged.reason, 'ADD of hero');
  assert.equal(outline(validatePlan(wrap(body)), []).items[1].markers[0].judged, undefined);
});
