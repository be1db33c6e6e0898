import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

const dist = new URL('../dist/', import.meta.url);
const accepted = new URL('../../tests/types/accepted-declarations.txt', import.meta.url);

/** What users see of the package: the declarations of its entries and of what they export. */
const PUBLIC = ['index', 'init', 'errors', 'run', 'plan', 'scope', 'task', 'snapshot', 'guarded-fs', 'generated', 'git', 'openai', 'opfs', 'testing'];

test('the declarations are the accepted ones', () => {
  const types = readdirSync(new URL('types/', dist)).filter((name) => name.endsWith('.d.ts')).map((name) => `types/${name}`).sort();
  const files = [...PUBLIC.map((name) => `${name}.d.ts`), ...types];
  const text = files.map((name) => `// ${name}\n${readFileSync(new URL(name, dist), 'utf8')}`).join('\n');
  if (process.env.ACCEPT) writeFileSync(accepted, text);
  assert.equal(text, readFileSync(accepted, 'utf8'), 'the public declarations changed: look at the difference, then run ACCEPT=1 npm test -w loopgate');
});
