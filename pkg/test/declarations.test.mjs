import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

const pkg = new URL('../', import.meta.url);
const accepted = new URL('../../tests/types/accepted-declarations.txt', import.meta.url);

/** The declarations that users can reach from the package's entries, by path. wasm-bindgen's own ones are not public. */
function reachable() {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', pkg), 'utf8'));
  const found = new Map();
  const visit = (url) => {
    const path = url.href.slice(new URL('dist/', pkg).href.length);
    if (found.has(path) || path === 'loopgate.d.ts') return;
    const text = readFileSync(url, 'utf8');
    found.set(path, text);
    for (const [, from] of text.matchAll(/from '(\.[^']+)\.js'/g)) visit(new URL(`${from}.d.ts`, url));
  };
  for (const { types } of Object.values(exports)) if (types) visit(new URL(types, pkg));
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Documentation may change freely. */
const withoutComments = (text) => text.replace(/^ *\/\*\*[^]*?\*\/\n/gm, '');

test('the type tests use every export', async () => {
  const { name, exports } = JSON.parse(readFileSync(new URL('package.json', pkg), 'utf8'));
  const used = readFileSync(new URL('../../tests/types/exports.ts', import.meta.url), 'utf8');
  for (const [entry, { types }] of Object.entries(exports)) {
    if (!types || entry.endsWith('.wasm')) continue;
    for (const exported of Object.keys(await import(entry.replace('.', name)))) {
      assert.ok(exported === 'default' || new RegExp(`\\b${exported}\\b`).test(used), `${entry}: ${exported}`);
    }
  }
});

test('the public declarations are the accepted ones', () => {
  const text = reachable().map(([path, text]) => `// ${path}\n${withoutComments(text)}`).join('\n');
  if (process.env.ACCEPT) writeFileSync(accepted, text);
  assert.equal(text, readFileSync(accepted, 'utf8'), 'the public declarations changed: check the difference, then run ACCEPT=1 npm test -w loopgate');
});
