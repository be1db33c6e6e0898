/**
 * Crashes at every write, on the real LightningFS. A worker that saves, rolls back or runs is ended at each of its writes in turn; then
 * the page opens the project and goes on.
 * Chromium only: LightningFS is the same code in each browser, and what a lost tab leaves of its database is shown by `crash.test.js`.
 */
import assert from 'node:assert/strict';
import { Disk } from './stores/disk.js';
import { inEachStore } from './stores/fixture.js';

const assertSame = (found, expected, at) => assert.deepEqual(Object.keys({ ...found, ...expected }).filter((path) => found[path] !== expected[path]).map((path) => [path, found[path], expected[path]]), [], at);

inEachStore('a crash at every write', (storeTest) => {
  storeTest('of a save leaves it absent or complete', async (store, { context }) => {
    const { changed } = await prepareSnapshots(store);
    for (const isKept of BOTH) await atEveryWrite(store, context, isKept, ['snapshot', 'save', { tag: 'new' }], ['recoverSave', 'new'], ({ found, saved, opened, project }, at) => {
      checkTags(found, at);
      if (saved) assertSame(saved, changed, at);
      assertSame(opened, changed, at);
      assertSame(own(project), changed, at);
      checkRepository(project, at);
    });
  });

  storeTest('of a rollback leaves it not started or complete, and it can be undone', async (store, { context }) => {
    const { before, changed } = await prepareSnapshots(store);
    for (const isKept of BOTH) await atEveryWrite(store, context, isKept, ['snapshot', 'rollback', 'base'], ['recoverRollback', 'base'], ({ found, opened, project, isDone, undone }, at) => {
      checkTags(found, at);
      assertSame(opened, isDone ? before : changed, at);
      assertSame(own(project), opened, at);
      assertSame(own(undone), changed, at);
      checkRepository(project, at);
    });
  });

  // Specs and chunks are killed at every write natively (`tests/engine/kill.rs`).
  storeTest('of a run is like none when the run is resumed', async (store, { context }) => {
    await store.askOnce(null, 'prepareRun');
    const whole = await (await store.copy(`${store.name}-whole`)).ask('driveRun');
    assert.ok(whole.decisions.some((decision) => decision.startsWith('run-finished')), whole.decisions.join('\n'));
    await atEveryWrite(store, context, isEven, ['driveRun'], ['recoverRun'], (end, at) => {
      for (const part of ['decisions', 'history', 'tags']) assert.deepEqual(end[part], whole[part], `${at}: ${part}`);
      assertSame(ofProject(end), ofProject(whole), at);
      checkRepository(end.project, at);
    });
  });
}, ['lightningfs'], ['chromium']);

/**
 * Calls with the crash at each write in turn, until the call has no more writes; `judge` gets what `recovery` finds each time. With
 * `isKept`, what was written before is durable; otherwise, it is as durable as LightningFS had made it.
 */
async function atEveryWrite(store, context, isKept, call, recovery, judge) {
  for (let at = 0; ; at++) {
    const kept = isKept(at);
    const where = `write ${at}, ${kept ? 'with' : 'without'} what was not durable`;
    const copy = await store.copy(`${store.name}-${at}-${kept}`);
    if ((await copy.askOnce({ at, isKept: kept }, ...call)) !== null) {
      context.diagnostic(`${at} writes`);
      return assert.ok(at > 10, `only ${at} writes`);
    }
    const found = await copy.ask(...recovery).catch((error) => {
      throw new Error(`${where}: ${error.message}`, { cause: error });
    });
    judge(found, where);
  }
}

/** Each write of a short call is cut off twice. A run alternates: the writes of an iteration are alike. */
const BOTH = [() => true, () => false];
const isEven = (at) => at % 2 === 0;

/** A project with the snapshot `base` and later changes; the files of both. */
async function prepareSnapshots(store) {
  const encoded = (files) => Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text).toString('base64')]));
  const before = encoded(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`src/${at % 3}/file-${at}.ts`, `export const file = ${at};\n`])));
  const later = encoded({ 'src/0/file-0.ts': 'changed\n', 'src/2/file-2.ts': 'changed too\n', 'new/🍓.ts': 'new\n' });
  await store.askOnce(null, 'prepareSnapshots', before, 'src/1/file-1.ts', later);
  const { 'src/1/file-1.ts': _, ...kept } = before;
  return { before, changed: { ...kept, ...later } };
}

/** The project's files without git's and the harness's. */
const own = ({ files }) => Object.fromEntries(Object.entries(files).filter(([path]) => !/^\.(git|loopgate)\//.test(path)));

/** What a run leaves in the project. An iteration that was cut off is repeated, so its number, its prompt and its record differ; so do times. */
function ofProject({ project: { files }, runId }) {
  const differs = /^\.(git|loopgate)\/|^runs\/|^\.ralph\/(iteration|theme)\.txt$|codebase-analysis\.json$|\/context-|\/transcript\.md$|\/attempt\.json$/;
  const isMasked = (line) => /_utc":|"commit":|- commit:|- verified:|Commit |- Usage/.test(line);
  const texts = Object.entries(files).filter(([path]) => !differs.test(path)).map(([path, bytes]) => [path, Buffer.from(bytes, 'base64').toString().replaceAll(runId, 'RUN').split('\n').filter((line) => !isMasked(line)).join('\n')]);
  return Object.fromEntries(texts);
}

function checkTags(found, at) {
  assert.ok(found.some(({ tag }) => tag === 'base'), `${at}: the earlier snapshot is lost`);
  for (const { tag, problem } of found) assert.equal(problem, undefined, `${at}: tag ${tag} is broken: ${problem}`);
}

function checkRepository(project, at) {
  const disk = new Disk();
  try {
    disk.write(project);
    assert.equal(disk.git('fsck', '--strict', '--full', '--no-dangling'), '', at);
  } finally {
    disk.remove();
  }
}
