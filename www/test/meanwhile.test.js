/** What the user does while the page is busy. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { locks } from './tab.js';
import { load } from './load.js';

const { startup, dialog, otherTab } = await load('store.ts');
const { seedIfEmpty, resetProject } = await load('project/seed.ts');
const { readText, refreshFiles, revision } = await load('project/project.ts');
const { deleteFile, editDocument, readDocument, saveDocument } = await load('code/documents.ts');
const { template } = await load('project/template.ts');
const { building } = await load('host/build.ts');
const { openProject, play, rememberStart } = await load('run/begin.ts');
const { discard, pending, stop, view } = await load('run/session.ts');
const { watchOtherTab } = await load('run/tabs.ts');
const { edit, change, message, parseAgain, preview, send } = await load('task/preview.ts');
const { story } = await load('model/story/stories.ts');

const MINE = '// mine\n';

/** Resolves as soon as `isNow` holds for the signal. */
const until = (signal, isNow) => new Promise((resolve) => {
  const stopWatching = signal.subscribe((value) => isNow(value) && queueMicrotask(() => (stopWatching(), resolve())));
});

async function save(path, text) {
  await readDocument(path);
  editDocument(path, text);
  await saveDocument(path);
}

beforeEach(async () => {
  await resetProject(template);
  await rememberStart();
  await refreshFiles();
  [startup.value, message.value] = [{ ready: true }, ''];
});

test('a project without package.json is not empty', async () => {
  await save('src/App.tsx', MINE);
  await deleteFile('package.json');
  assert.equal(await seedIfEmpty(), false);
  assert.equal(await readText('src/App.tsx'), MINE);
});

test('a change that is saved while a new project is built is not lost to the next one', async () => {
  const opened = openProject('new');
  await until(building, (now) => now);
  await save('src/App.tsx', MINE);
  await opened;
  await openProject('new');
  assert.equal(dialog.value, 'new', 'the page asks');
  assert.equal(await readText('src/App.tsx'), MINE);
  dialog.value = null;
});

test('what the user writes while a new project opens stays', async () => {
  const before = revision.value;
  const opened = openProject('new');
  await until(revision, (now) => now > before);
  message.value = 'Build a shop for old maps';
  await opened;
  assert.equal(message.value, 'Build a shop for old maps');
});

test('a message that is sent while a run is discarded is in the field again', async () => {
  const played = play(story.value.parts[0]);
  await until(view, ({ attempts }) => attempts.length > 0);
  stop();
  await played;
  assert.equal(view.value.status, 'stopped');
  const { runId, work } = view.value;
  const discarded = discard(runId, work);
  await until(view, ({ status }) => status === 'running');
  message.value = 'Make it blue';
  await send();
  assert.equal(message.value, '');
  await discarded;
  assert.equal(message.value, 'Make it blue');
  assert.deepEqual(pending.value, []);
});

test('the message of a run that another tab overtook is in the field again', async () => {
  const { message: text } = story.value.parts[0].work;
  message.value = text;
  let end;
  const other = locks.request('loopgate-demo:run', () => new Promise((resolve) => (end = resolve)));
  const sent = send();
  const watched = watchOtherTab('run');
  await sent;
  assert.equal(message.value, text);
  end();
  await Promise.all([other, watched]);
  assert.equal(otherTab.value, null);
  assert.notEqual(view.value.status, 'running');
  assert.equal(message.value, text);
});

test('a task that the user edits is not replaced by one that was parsed before', async () => {
  message.value = 'Add a page with the opening hours';
  await parseAgain();
  const late = parseAgain();
  await edit();
  change({ ...preview.value.task, requirements: [{ marker: 'ADD', description: 'A map' }] });
  await late;
  assert.equal(preview.value.task.requirements[0].description, 'A map');
});
