import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';

const at = (path) => new URL(`../${path}`, import.meta.url);
const read = (path) => readFileSync(at(path), 'utf8');

test('each promise of SECURITY.md names tests that exist', () => {
  const [, promises] = read('SECURITY.md').match(/\n## Promises\n([^]*?)\n## /);
  const rows = promises.split('\n').filter((line) => line.startsWith('| ')).slice(1);
  assert.ok(rows.length > 20);
  for (const row of rows) {
    const tests = row.split(' | ').at(-1);
    const paths = [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
    assert.ok(paths.length > 0, `no test: ${row}`);
    for (const path of paths) {
      assert.ok(existsSync(at(path)), `${path}: ${row}`);
      const text = read(statSync(at(path)).isDirectory() ? `${path}/mod.rs` : path);
      assert.match(text, /test\)?\]|\btest\(|mod tests|frames\(|TARGETS|export (async )?function/, path);
    }
    for (const [, target] of tests.matchAll(/fuzz targets? `(\w+)`/g)) assert.ok(existsSync(at(`fuzz/seeds/${target}`)), target);
  }
});
