// The deepest plans that are parsed at all fit the stack of the module that is shipped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import init, { validatePlan } from 'loopgate';

/** What opens a level and what closes it. */
const shapes = [
  ['(', ')'], ['[', ']'], ['{a:', '}'], ['({a:', '})'], ['{[', ']:1}'], ['{get a(){return ', '}}'], ['f(', ')'],
  ['f({a:', '})'], ['new f(', ')'], ['import(', ')'], ['`${', '}`'], ['()=>{return ', '}'], ['(a=', ')=>1'],
  ['function(){return ', '}'], ['class{a=', '}'], ['class{a(){return ', '}}'], ['@(', ')class{}'], ['!', ''],
  ['typeof ', ''], ['await ', ''], ['new ', ''], ['a?b:', ''], ['a=', ''], ['a=>', ''], ['a**', ''], ['a<', ''],
  ['1 as (a:', ')=>1'], ['1 as {a:', '}'], ['1 as A<', '>'], ['<A>{', '}</A>'], ['<A b={', '}/>'], ['<A b=<A c={', '}/>/>'],
];

/** The most levels that are not too large; every depth below it was read, or this would have thrown. */
function deepest(source) {
  let [deep, tooDeep] = [1, 300];
  while (tooDeep - deep > 1) {
    const levels = (deep + tooDeep) >> 1;
    if (validatePlan(source(levels)).failures.some(({ id }) => id === 'too-large')) tooDeep = levels;
    else deep = levels;
  }
  return deep;
}

test('the deepest of every shape is read, also in the deepest tree', async () => {
  await init();
  for (const [open, close] of shapes) {
    const value = (levels) => `${open.repeat(levels)}1${close.repeat(levels)}`;
    assert.ok(deepest((levels) => `export default ${value(levels)}`) >= 40, open);
    if (open.includes('<A')) continue;
    const tree = (levels) => `export default ${'<A>'.repeat(255)}<A b={${value(levels)}}/>${'</A>'.repeat(255)}`;
    assert.ok(deepest(tree) >= 40, open);
  }
});

test('256 levels are read whole and 257 are not', async () => {
  await init();
  const plan = (levels) => `export default ${'<App>'.repeat(levels)}${'</App>'.repeat(levels)}`;
  let levels = 0;
  for (let node = validatePlan(plan(256)).root; node; node = node.children[0]) levels += 1;
  assert.equal(levels, 256);
  const { failures, root } = validatePlan(plan(257));
  assert.deepEqual([failures.map(({ id }) => id), root], [['too-large'], null]);
});

test('a hundred thousand levels are refused at once, and the module goes on', async () => {
  await init();
  for (const [open, close] of shapes) {
    const source = `export default ${open.repeat(100_000)}1${close.repeat(100_000)}`;
    const { ok, failures } = validatePlan(source);
    assert.deepEqual([ok, failures.length > 0], [false, true], open);
  }
  assert.equal(validatePlan('export default <App />').failures.length > 0, true);
});
