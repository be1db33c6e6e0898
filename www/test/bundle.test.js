import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const MAIN = "import App from './App';\nimport './index.css';\nconsole.log(<App />);\n";
const app = (body, imports = '') => `${imports}export default function App() {\n${body}\n}\n`;

const { bundle } = await load('host/bundle.ts');

const build = (source, others = {}) => bundle(new Map(Object.entries({ 'src/main.tsx': MAIN, 'src/index.css': 'p { margin: 0 }', 'src/App.tsx': source, ...others })));

test('a project is bundled into one script and one style sheet', async () => {
  const source = "import { useState } from 'react';\ninterface Props { name: string }\nexport default function App({ name }: Props) {\n  const [n] = useState<number>(1);\n  return <p>{name}{n}</p>;\n}\n";
  const { code, css, errors, warnings } = await build(source);
  assert.deepEqual([errors, warnings], [[], []]);
  assert.equal(css, 'p { margin: 0 }');
  assert.match(code, /previewModules\["react"\]/);
  assert.doesNotMatch(code, /interface|<p>|import /);
});

test('cycles, JSON and SVG can be imported', async () => {
  const imports = "import data from './data.json';\nimport logo from './logo.svg';\nimport { a } from '@/a';\n";
  const { code, errors, warnings } = await build(app('  return <img src={logo} alt={data.name + a} />;', imports), {
    'src/data.json': '{"name": "Ann"}',
    'src/logo.svg': '<svg/>',
    'src/a.ts': "import App from './App';\nexport const a = <T,>(x: T) => x, b = App;\n",
  });
  assert.deepEqual([errors, warnings], [[], []]);
  assert.match(code, /data:image\/svg\+xml,%3Csvg%2F%3E/);
});

const OK = app('  return <p />;');
for (const [what, source, others, place, expected] of [
  ['a syntax error', app('  const x = ;\n  return <p />;'), {}, 'src/App.tsx:2:13', /Unexpected token/],
  ['a tag closed by another', app('  return <main><h1>Menu</h2></main>;'), {}, 'src/App.tsx:2:24', /closing tag for <h1>/],
  ['a missing file', app('  return <A />;', "import { A } from './nope';\n"), {}, 'src/App.tsx:1:19', /"\.\/nope"/],
  ['a missing export', app('  return <A />;', "import { A } from './x';\n"), { 'src/x.ts': 'export const B = 1;' }, 'src/App.tsx:1:10', /"A" is not exported by "src\/x\.ts"/],
  ['a missing default export', 'export function App() {}\n', {}, 'src/main.tsx:1:8', /"default" is not exported by "src\/App\.tsx"/],
  ['a missing package', app('  return <p>{x}</p>;', "\nimport x from 'lodash';\n"), {}, 'src/App.tsx:2:15', /"lodash" is not available/],
  ['an error in one of two files', app('  return <A />;', "import { A } from './x';\n  (\n"), { 'src/x.ts': 'export const A = ;\n', 'src/main.tsx': `${MAIN}import './x';\nlet y = ;\n` }, 'src/main.tsx:5:9', /Unexpected token/],
]) {
  test(`${what} is reported with its position`, async () => {
    const { code, errors } = await build(source, others);
    assert.equal(code, undefined);
    const found = errors.filter(({ file, line, column }) => `${file}:${line}:${column}` === place);
    assert.ok(found.some(({ message }) => expected.test(message)), JSON.stringify(errors));
  });
}

test('invalid JSON is reported with its file', async () => {
  const { errors } = await build(app('  return <p>{d.a}</p>;', "import d from './d.json';\n"), { 'src/d.json': '{"a": }' });
  assert.deepEqual(errors.map(({ file }) => file), ['src/d.json']);
});

test('an aborted build rejects with the reason', async () => {
  const abort = new AbortController();
  abort.abort(new Error('enough'));
  await assert.rejects(bundle(new Map([['src/main.tsx', MAIN], ['src/App.tsx', OK]]), abort.signal), /enough/);
});
