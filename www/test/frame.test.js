import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { load } from './load.js';

let frame;
before(async () => {
  frame = await load('host/frame.ts');
});

const bundleOf = (css, code) => ({ css, code, errors: [], warnings: [] });
/** The page that the document gives its script. */
const pageOf = (document) => JSON.parse(/\)\((\{"css"[^]*\})\)<\/script>/.exec(document)[1]);

for (const text of ['</style>', '</STYLE >', '</sTyLe\t', '</script>', '</SCRIPT/', '<!--', '<!--<script>', '<![CDATA[', '\u2028\u2029\0\r', '\\u003c', '"]});alert(1)//', '$&$`${1}', '\ud800']) {
  test(`a document escapes ${JSON.stringify(text)}`, () => {
    const tags = (document) => document.match(/<[^ =0-9]/g).join();
    const document = frame.frameDocument(bundleOf(`p::after { content: '${text}' }`, `f('${text}')`), `g('${text}')`);
    assert.equal(tags(document), tags(frame.frameDocument(bundleOf('', ''), '')));
    const { css, scripts } = pageOf(document);
    assert.deepEqual([css, scripts[1]], [`p::after { content: '${text}' }`, `g('${text}')`]);
    assert.ok(scripts[2].endsWith(`;f('${text}')`) && scripts.length === 3);
  });
}

for (const [what, message, expected] of [
  ['an error', { type: 'error', message: 'm', line: 2, column: 3 }, { errors: [{ message: 'm', line: 2, column: 3 }] }],
  ['an error without a place', { type: 'error', message: 'm' }, { errors: [{ message: 'm', line: undefined, column: undefined }] }],
  ['a message of the console', { type: 'console', level: 'warn', message: 'm' }, { console: [{ level: 'warn', message: 'm' }] }],
  ['the end of the rendering', { type: 'settled' }, { settled: true }],
  ['more than it needs', { type: 'console', level: 'log', message: 'm', errors: [], settled: true }, { console: [{ level: 'log', message: 'm' }] }],
  ['nothing', null, {}],
  ['a text', 'settled', {}],
  ['an unknown type', { type: 'done', message: 'm' }, {}],
  ['an unknown level', { type: 'console', level: '__proto__', message: 'm' }, {}],
  ['no message', { type: 'error' }, {}],
  ['a message that is not a text', { type: 'error', message: { length: 1 } }, {}],
  ['a message that is too long', { type: 'error', message: 'm'.repeat(2001) }, {}],
  ['a line that is not a number', { type: 'error', message: 'm', line: '2' }, {}],
  ['a column that is not a whole number', { type: 'error', message: 'm', column: NaN }, {}],
]) {
  test(`a frame that sends ${what} changes the report as expected`, () => {
    assert.deepEqual(frame.withMessage(frame.NOTHING, message), { ...frame.NOTHING, ...expected });
  });
}

test('a report keeps the first messages of each kind, and no kind displaces another one', () => {
  let report = frame.NOTHING;
  for (let at = 0; at < 500; at++) {
    report = frame.withMessage(report, { type: 'console', level: 'log', message: `${at}` });
    report = frame.withMessage(report, { type: 'error', message: `${at}` });
  }
  report = frame.withMessage(report, { type: 'console', level: 'error', message: 'last' });
  report = frame.withMessage(report, { type: 'settled' });
  // One more than the limit: the frame uses it to say that there are more.
  const kept = Array.from({ length: frame.MOST + 1 }, (_, at) => `${at}`);
  assert.deepEqual(report.errors.map(({ message }) => message), kept);
  assert.deepEqual(report.console.map(({ message }) => message), [...kept, 'last']);
  assert.equal(report.settled, true);
});

test('a page has storage that lasts as long as the page', () => {
  const [script] = pageOf(frame.frameDocument(bundleOf('', ''), '')).scripts;
  const window = {};
  new Function('window', script)(window);
  const { localStorage, sessionStorage } = window;
  localStorage.setItem('a', 1);
  localStorage.b = { toString: () => 'two' };
  assert.deepEqual([localStorage.getItem('a'), localStorage.a, localStorage.getItem('b'), localStorage.length, localStorage.key(1)], ['1', '1', 'two', 2, 'b']);
  assert.deepEqual([Object.keys(localStorage), 'a' in localStorage, localStorage.getItem('c'), sessionStorage.length], [['a', 'b'], true, null, 0]);
  delete localStorage.a;
  localStorage.removeItem('b');
  assert.equal(localStorage.length, 0);
});
