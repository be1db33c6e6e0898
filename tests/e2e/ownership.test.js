/** Whose change is it, with isomorphic-git on the real stores of the browsers, read back by the git command. */
import assert from 'node:assert/strict';
import { Disk } from './stores/disk.js';
import { inEachStore } from './stores/fixture.js';

const author = { name: 'U', email: 'u@example.com' };
const LINES = Array.from({ length: 9 }, (_, at) => `line ${at + 1}\n`);
const app = (lines = {}) => LINES.map((line, at) => (lines[at + 1] ? `${lines[at + 1]}\n` : line)).join('');
const done = ['complete_task', { summary: 'Done.' }];
const edit = (text, other) => ['edit_file', { path: 'src/app.ts', old_text: `${text}\n`, new_text: `${other}\n` }];
const SHIP = '{"decision":"SHIP","issues":[]}';
const REVISE = JSON.stringify({
  decision: 'REVISE',
  issues: [{ file: 'src/app.ts', lines: [1, 1], type: 'logic_bug', severity: 'high', description: 'Wrong.', suggestion: 's', agentPrompt: 'Fix it.' }],
});

/** A project that the user committed, with one chunk. */
async function project(store) {
  const chunks = [{ id: 'a', title: 'Add a', description: 'Write src/a.ts.' }];
  await store.put({
    'src/app.ts': app(),
    '.gitignore': '.env\n.loopgate\n',
    '.env': 'KEY=user\n',
    '.handoff/specs/shop/spec.md': '# Shop\n',
    '.handoff/specs/shop/chunks.json': JSON.stringify(chunks),
  });
  await store.git('init', { defaultBranch: 'main' });
  for (const filepath of ['src/app.ts', '.gitignore', '.handoff/specs/shop/spec.md', '.handoff/specs/shop/chunks.json']) await store.git('add', { filepath });
  await store.git('commit', { message: 'by the user', author });
}

/** Calls `judge` with the project on disk. */
async function onDisk(store, judge) {
  const disk = new Disk();
  try {
    disk.write(await store.everything());
    assert.equal(disk.git('fsck', '--strict', '--no-dangling'), '');
    await judge(disk);
  } finally {
    disk.remove();
  }
}

inEachStore('whose change it is', (storeTest) => {
  storeTest('a rejected attempt and a commit leave the lines of the user where they are', async (store) => {
    await project(store);
    const command = JSON.stringify({ files: { 'src/gen.ts': 'AGENT\n' }, user: { 'mine.txt': 'USER\n' } });
    const builder = [
      { calls: [edit('line 2', 'AGENT'), ['write_file', { path: '.env', content: 'KEY=agent\n' }], ['shell', { command }]] },
      { user: { 'src/app.ts': app({ 2: 'AGENT', 8: 'USER' }) }, calls: [done] },
      { calls: [edit('line 4', 'AGENT 2'), ['write_file', { path: 'src/a.ts', content: '"AGENT 2"\n' }], done] },
    ];
    const { runId, reason, message, prompts } = await store.ask('runChunks', { builder, reviewer: [{ text: REVISE }, { text: SHIP }] });
    assert.equal(reason, 'done', message);
    assert.ok(prompts.some((prompt) => prompt.includes('Fix it.')));
    assert.equal(await store.ask('readText', '.env'), 'KEY=user\n');
    assert.equal(await store.ask('readText', 'src/app.ts'), app({ 4: 'AGENT 2', 8: 'USER' }));
    await onDisk(store, (disk) => {
      assert.equal(disk.git('show', 'spec/shop:src/app.ts'), app({ 4: 'AGENT 2' }));
      assert.equal(disk.git('diff', '--name-only', 'main', 'spec/shop'), 'src/a.ts\nsrc/app.ts\n');
      assert.equal(disk.git('status', '--porcelain', '--', 'src', 'mine.txt'), ' M src/app.ts\n?? mine.txt\n');
    });
    const changed = (await store.ask('changesOf', runId)).map(({ path, by }) => [path, by]);
    assert.deepEqual(changed, [['mine.txt', 'user'], ['src/a.ts', 'agent'], ['src/app.ts', 'both']]);
    const { reverted, conflicts } = await store.ask('revertRun', runId);
    assert.deepEqual([reverted, conflicts], [['src/a.ts', 'src/app.ts'], []]);
    assert.equal(await store.ask('readText', 'src/app.ts'), app({ 8: 'USER' }));
  });

  storeTest('an abort takes back what the agent did and nothing of the user', async (store) => {
    await project(store);
    const command = JSON.stringify({ files: { '.env': 'KEY=agent\n', 'src/gen.ts': 'AGENT\n' } });
    const builder = [
      { calls: [edit('line 2', 'AGENT'), ['shell', { command }]] },
      { user: { 'mine.txt': 'USER\n' }, abort: true },
    ];
    const { reason } = await store.ask('runChunks', { builder });
    assert.equal(reason, 'aborted');
    assert.equal(await store.ask('readText', '.env'), 'KEY=user\n');
    await onDisk(store, (disk) => {
      assert.equal(disk.git('status', '--porcelain', '--', 'src', 'mine.txt'), '?? mine.txt\n');
      assert.equal(disk.git('rev-parse', 'main'), disk.git('rev-parse', 'spec/shop'));
    });
  });
});
