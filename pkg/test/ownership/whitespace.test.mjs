// Changes of white space: only blank lines and white space at line ends are no work.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunk, done, drive, edit, isShipped, project, turn, write } from './project.mjs';

const chunks = [chunk('a', { maxIterations: 1 })];
const files = { 'src/bar.ts': 'export const name = "Nightbar";\n\n', 'src/bar.py': 'for a in b:\n    one()\n    two()\n' };

for (const [what, change] of [
  ['a space inside a line', edit('src/bar.ts', 'Nightbar', 'Night bar')],
  ['a dedent', edit('src/bar.py', '    two()', 'two()')],
]) {
  test(`${what} is work, and the request to the reviewer says that only white space changed`, async (t) => {
    const p = project(t, { files, chunks });
    const outcome = await drive(p.page(), { script: { builder: [turn(change, done())] } });
    isShipped(outcome);
    assert.equal(p.committed().length, 1);
    assert.match(outcome.prompts('reviewer')[0], /white ?space/i);
  });
}

for (const [what, change] of [
  ['blank lines', edit('src/bar.ts', '\n\n', '\n\n\n\n')],
  ['white space at line ends', edit('src/bar.py', 'one()', 'one()  ')],
  ['line ends', write('src/bar.py', files['src/bar.py'].replaceAll('\n', '\r\n'))],
]) {
  test(`an attempt that changed only ${what} is rejected without a review`, async (t) => {
    const p = project(t, { files, chunks });
    const outcome = await drive(p.page(), { script: { builder: [turn(change, done())] } });
    assert.equal(outcome.error, undefined);
    assert.deepEqual([outcome.result.success, outcome.prompts('reviewer').length, p.status()], [false, 0, '']);
  });
}
