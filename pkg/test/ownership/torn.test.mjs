// A store without atomic writes: a write of the journal is torn, and the page is gone. In the evening the user edits.
import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { test } from 'node:test';
import { done, drive, isClosed, isShipped, lines, project, turn, write } from './project.mjs';

const LENGTHS = {
  nothing: () => 0,
  'one byte': () => 1,
  'half of it': (bytes) => bytes.length >> 1,
  'its complete lines but the last': (bytes) => bytes.lastIndexOf(10, bytes.length - 2) + 1,
  'all but one byte': (bytes) => bytes.length - 1,
};

/** A page whose write of the journal with this number is torn. `count` gets the number of writes. */
function tearing(p, number, length, appends, count = () => {}) {
  const page = p.page();
  let writes = 0;
  const put = (method) => async (path, data) => {
    const isJournal = path.includes('/.loopgate/journal/');
    if (isJournal) count(++writes);
    if (!isJournal || writes - 1 !== number || page.isClosed()) {
      return method === 'writeFile' ? page.fs.writeFile(path, data) : void (await page.fs.stat(p.dir), nodeFs.appendFileSync(path, data));
    }
    nodeFs[`${method}Sync`](path, data.subarray(0, length(data)));
    page.close();
    throw Object.assign(new Error('the page is closed'), { code: 'EIO' });
  };
  return { ...page, fs: { ...page.fs, writeFile: put('writeFile'), ...(appends && { appendFile: put('appendFile') }) } };
}

const script = () => ({ builder: [turn(write('src/a.ts', 'AGENT\n'), write('src/b.ts', 'AGENT\n')), turn(done())] });

for (const appends of [true, false]) {
  for (const [what, length] of Object.entries(LENGTHS)) {
    test(`after a torn write of the journal (${what}, ${appends ? 'appended' : 'moved into place'}), the resume ships the agent's work alone`, async (t) => {
      let total = 0;
      isShipped(await drive(tearing(project(t), -1, length, appends, (count) => (total = count)), { script: script() }));
      let resumed = 0;
      for (let number = 2; number < total; number += 3) {
        const p = project(t);
        const first = await drive(tearing(p, number, length, appends), { script: script() });
        isClosed(first);
        p.line(9, 'USER');
        p.put('mine.txt', 'USER\n');
        p.inTheEvening('src/app.ts', 'mine.txt');
        const both = turn(write('src/a.ts', 'AGENT\n'), write('src/b.ts', 'AGENT\n'));
        const builder = [both, ...script().builder.slice(1), ...script().builder];
        const again = await drive(p.page(), { resume: first.id, script: { builder } });
        if (again.error?.code === 'not-found' || /is finished/.test(again.error?.message)) continue;
        isShipped(again);
        resumed++;
        assert.doesNotMatch(p.patches(), /USER/, `write ${number}`);
        assert.deepEqual([p.text('mine.txt'), p.text('src/app.ts')], ['USER\n', lines({ 9: 'USER' })], `write ${number}`);
        assert.deepEqual([p.committed(), p.status()], [['src/a.ts', 'src/b.ts'], ' M src/app.ts\n?? mine.txt'], `write ${number}`);
      }
      assert.ok(resumed > 3, `some runs are resumed: ${resumed}`);
    });
  }
}
