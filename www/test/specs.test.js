import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import init from 'loopgate';
import { load } from './load.js';

const { draftFrom, ledTo, nameFor, newDraft, requirementsIn, requirementsOf, slugOf, specText, titleOf, unnamedIn } = await load('specs/draft.ts');
const { addStep, changeStep, checkSteps, moveStep, pathsIn, putBack, removalOf, removeStep } = await load('specs/steps.ts');
const { layoutOf, NODE } = await load('specs/layout.ts');

before(() => init());

const step = (id, ...dependencies) => ({ id, title: id, description: 'Do it.', ...(dependencies.length && { dependencies }) });

test('a draft comes back from its file, with defaults for what is missing, and a damaged file is none', () => {
  const draft = newDraft({ stage: 'questions', idea: 'Sell seats', answers: ['', 'Yes'] });
  assert.deepEqual(draftFrom(JSON.stringify(draft)), draft);
  assert.deepEqual(draftFrom('{"stage":"review"}'), newDraft({ stage: 'review' }));
  for (const text of [null, '', '{"stage":"ste', '[]', 'null', '{"stage":"other"}']) assert.equal(draftFrom(text), null);
});

test('the title is the first words of the idea, and the name follows the title', () => {
  assert.equal(titleOf('  let visitors search the menu by name and price. Then sort.'), 'Let visitors search the menu by');
  assert.equal(slugOf('Café: 2 Menus!'), 'cafe-2-menus');
  assert.equal(slugOf('Checkout', ['checkout', 'checkout-2']), 'checkout-3');
  assert.equal(slugOf('…', [], 'step'), 'step');
});

test('the name of a spec is unique and contains no path', () => {
  const taken = ['menu', '0001-old', '0002-cart'];
  const name = (kind, name, idea = '') => nameFor(newDraft({ kind, name, idea }), taken);
  assert.deepEqual([name('steps', 'menu'), name('steps', 'Menu'), name('steps', '..'), name('steps', ' ', 'Über #1 %')], ['menu-2', 'menu-2', 'spec', 'uber-1']);
  assert.deepEqual([name('go', '0001-old'), name('go', 'old'), name('go', '../x'), name('go', '', 'A cart')], ['0001-old-2', '0003-old', '0003-x', '0003-a-cart']);
});

test('a spec numbers its requirements, and the numbers are read from its text', () => {
  const text = specText('Checkout', { goal: 'Sell seats.', requirements: [{ text: 'Prices are exact', answers: [1] }, { text: 'One seat, one visitor', answers: [2, 1] }], outOfScope: ['Refunds'] });
  assert.equal(text, '# Checkout\n\nSell seats.\n\n## Requirements\n- R1: Prices are exact\n- R2: One seat, one visitor\n\n## Out of scope\n- Refunds\n');
  assert.deepEqual(requirementsIn(text), [{ id: 'R1', text: 'Prices are exact' }, { id: 'R2', text: 'One seat, one visitor' }]);
  const added = text.replace('- Refunds', '- Refunds\n- R5: Receipts').concat('\n## Later\n- R6: A menu\n');
  assert.deepEqual(requirementsIn(added).map(({ id }) => id), ['R1', 'R2', 'R6'], 'what is out of scope is no requirement');
  assert.deepEqual(requirementsIn('## Out of scope').length, 0);
  assert.deepEqual(requirementsOf({ title: 'Price (R1)', description: 'See R2 and R1, not XR3.' }), ['R1', 'R2']);
  assert.deepEqual(ledTo([[1], [2, 1]], 1), ['R1', 'R2']);
});

for (const [what, list, at, words] of [
  ['a cycle', [step('x'), step('a', 'b'), step('b', 'a')], 1, 'a → b → a'],
  ['an unknown dependency', [step('a'), step('b', 'c')], 1, '"c"'],
  ['a name of the harness as the id', [step('final-review')], 0, 'final review'],
  ['an id that ends with a dot', [step('a'), step('order.')], 1, '"order."'],
  ['a blank title', [step('a'), { ...step('b'), title: ' ' }], 1, '`title` is empty'],
  ['too many attempts', [{ ...step('a'), maxIterations: 99 }], 0, '99'],
  ['no step', [], -1, 'no step'],
]) {
  test(`${what} is a problem of its step`, () => {
    const { order, problems } = checkSteps(list);
    assert.deepEqual([...problems.keys()], [at]);
    assert.ok(problems.get(at)[0].includes(words), problems.get(at)[0]);
    assert.deepEqual(order, []);
  });
}

test('steps without problems have an order', () => {
  assert.deepEqual(checkSteps([step('c', 'a'), step('a'), step('b', 'c')]), { order: ['a', 'c', 'b'], problems: new Map() });
});

test('edits keep the dependencies consistent', () => {
  const list = [step('a'), step('b', 'a'), step('c', 'a', 'b')];
  assert.deepEqual(removeStep(list, 0), [step('b'), step('c', 'b')]);
  assert.deepEqual(changeStep(list, 0, { id: 'z' }).map(({ dependencies }) => dependencies), [undefined, ['z'], ['z', 'b']]);
  // The id of another step: what depends on it is not known, so the check reports the unknown id.
  assert.deepEqual(changeStep(list, 0, { id: 'b' }).map(({ dependencies }) => dependencies), list.map(({ dependencies }) => dependencies));
  assert.deepEqual(moveStep(list, 0, 1).map(({ id }) => id), ['b', 'a', 'c']);
  assert.deepEqual(pathsIn(' src/a.ts,\nsrc/b.ts ,'), ['src/a.ts', 'src/b.ts']);
});

test('a removed step comes back at its place, with what came after it, and later edits stay', () => {
  const list = [step('a'), step('b', 'a'), step('c', 'a', 'b')];
  assert.deepEqual(putBack(removeStep(list, 0), removalOf(list, 0)), [step('a'), step('b', 'a'), step('c', 'b', 'a')]);
  const edited = changeStep(removeStep(list, 1), 1, { title: 'Later' });
  assert.deepEqual(putBack(edited, removalOf(list, 1)).map(({ title }) => title), ['a', 'b', 'Later']);
});

test('a requirement that no step names is found', () => {
  assert.deepEqual(unnamedIn('- R1: a\n- R2: b\n- R3: c\n', [{ title: 'x (R1)', description: 'R3' }]), ['R2']);
});

test('the id of a new step follows its title until the user sets it', () => {
  const added = addStep([step('a')]);
  assert.deepEqual(added.map(({ id }) => id), ['a', 'step']);
  const named = changeStep(added, 1, { title: 'Hold the seats' });
  assert.equal(named[1].id, 'hold-the-seats');
  const set = changeStep(named, 1, { id: 'hold' });
  assert.equal(changeStep(set, 1, { title: 'Hold a seat' })[1].id, 'hold');
});

test('the graph places a step to the right of what it comes after, without overlaps, and a cycle does not stop it', () => {
  const { places, edges } = layoutOf([{ id: 'd', dependencies: ['b', 'c'] }, { id: 'b', dependencies: ['a'] }, { id: 'c', dependencies: ['a'] }, { id: 'a', dependencies: [] }]);
  assert.equal(edges.length, 4);
  for (const { from, to } of edges) assert.ok(places.get(from).left + NODE.width < places.get(to).left, `${from} ${to}`);
  assert.ok(Math.abs(places.get('b').top - places.get('c').top) >= NODE.height);
  assert.equal(layoutOf([{ id: 'a', dependencies: ['b'] }, { id: 'b', dependencies: ['a'] }]).places.size, 2);
});
