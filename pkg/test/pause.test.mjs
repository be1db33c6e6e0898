import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshot } from 'loopgate';
import { project } from './project.mjs';

const FILES = 1000;
const METHODS = ['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat', 'lstat'];
// Never goes back, as a real clock.
let now = performance.now();

for (const [layout, path] of [
  ['in one folder', (number) => `src/${number}.ts`],
  ['in many folders', (number) => `src/${Math.floor(number / 20)}/${number}.ts`],
]) {
  test(`a scan of files ${layout} lets other tasks run between its calls, although they settle at once`, async (t) => {
    const files = Object.fromEntries(Array.from({ length: FILES }, (_, number) => [path(number), `${number}`]));
    const { host, fs } = await project({ files });
    await snapshot.save(host, { tag: 'base' });
    const start = (now = Math.max(now, performance.now()));
    let [looks, longest] = [0, 0];
    // Every look at a file takes a millisecond.
    t.mock.method(performance, 'now', () => now);
    const settled = Object.fromEntries(METHODS.map((name) => [name, async (...args) => fs[`${name}Sync`](...args)]));
    const lstat = async (path) => ([now, looks] = [now + 1, looks + 1], longest = Math.max(longest, looks), fs.lstatSync(path));
    // Node.js delivers the messages of several channels in one turn of its event loop; a browser does not.
    const { MessageChannel } = globalThis;
    t.after(() => Object.assign(globalThis, { MessageChannel }));
    globalThis.MessageChannel = class {
      port1 = { close() {} };
      port2 = { postMessage: () => setImmediate(() => ((looks = 0), this.port1.onmessage())) };
    };
    await snapshot.status({ ...host, fs: { ...settled, lstat } });
    assert.ok(now - start >= FILES);
    assert.ok(longest <= 250, `${longest} looks in one task`);
  });
}
