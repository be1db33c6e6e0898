import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { resolveImport } = await load('host/resolve.ts');

test('an import resolves to a file of the project, a package, or an error', () => {
  const files = new Set(['src/App.tsx', 'src/lib/index.ts', 'src/lib/a.js', 'src/x.css', 'data.json']);
  const has = (path) => files.has(path);
  for (const [source, importer, expected] of [
    ['src/App.tsx', undefined, { file: 'src/App.tsx' }],
    ['./App', 'src/main.tsx', { file: 'src/App.tsx' }],
    ['./lib', 'src/main.tsx', { file: 'src/lib/index.ts' }],
    ['../App', 'src/lib/a.js', { file: 'src/App.tsx' }],
    ['@/lib/a', 'src/App.tsx', { file: 'src/lib/a.js' }],
    ['/data.json', 'src/App.tsx', { file: 'data.json' }],
    ['../../data.json', 'src/lib/a.js', { file: 'data.json' }],
    ['./x.css', 'src/App.tsx', { file: 'src/x.css' }],
    ['react/jsx-runtime', 'src/App.tsx', { external: 'react/jsx-runtime' }],
  ]) {
    assert.deepEqual(resolveImport(source, importer, has), expected, `${source} in ${importer}`);
  }
  for (const source of ['./nope', 'lodash', 'react-router']) assert.ok('error' in resolveImport(source, 'src/App.tsx', has), source);
});
