// Names that a system other than Windows stores, and Windows reads in another way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import git from 'isomorphic-git';
import init, { snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { memfs } from 'memfs';

/** A project in this folder whose snapshot `saved` has a file that is gone since. */
async function withSnapshotOf(name, dir) {
  await init();
  const { fs } = memfs({ [`${dir}/a.txt`]: 'a' });
  const host = { fs: fs.promises, git: isomorphicGit({ git, fs, dir }), dir };
  fs.writeFileSync(`${dir}/${name}`, 'theirs');
  const saved = await snapshot.save(host, { tag: 'saved' });
  fs.unlinkSync(`${dir}/${name}`);
  fs.writeFileSync(`${dir}/a.txt`, 'changed');
  return { host, fs, saved };
}

for (const name of ['..\\x', 'a\\b', 'C:\\x', 'C:x']) {
  test(`a file named ${name} is reported by a save, and no rollback writes it`, async () => {
    const { host, fs, saved } = await withSnapshotOf(name, '/project');
    assert.ok(saved.warnings.some((warning) => warning.includes(JSON.stringify(name))), `${saved.warnings}`);
    for (const options of [{ dryRun: true }, {}]) {
      const { restored, warnings } = await snapshot.rollback(host, 'saved', options);
      assert.deepEqual(restored, ['a.txt']);
      assert.ok(warnings.some((warning) => warning.includes(`${JSON.stringify(name)} is left out`)), `${warnings}`);
    }
    assert.deepEqual(fs.readdirSync('/project').sort(), ['.git', '.loopgate', 'a.txt']);
    assert.equal(fs.readFileSync('/project/a.txt', 'utf8'), 'a');
    await snapshot.undo(host);
    assert.equal(fs.readFileSync('/project/a.txt', 'utf8'), 'changed');
  });

  test(`a file named ${name} that a rollback deleted does not prevent its undo`, async () => {
    await init();
    const { fs } = memfs({ '/project/a.txt': 'a' });
    const host = { fs: fs.promises, git: isomorphicGit({ git, fs, dir: '/project' }), dir: '/project' };
    await snapshot.save(host, { tag: 'saved' });
    fs.writeFileSync(`/project/${name}`, 'theirs');
    fs.writeFileSync('/project/a.txt', 'changed');
    await snapshot.rollback(host, 'saved');
    const { warnings } = await snapshot.undo(host);
    assert.ok(warnings.some((warning) => warning.includes(`${JSON.stringify(name)} is left out`)), `${warnings}`);
    assert.equal(fs.readFileSync('/project/a.txt', 'utf8'), 'changed');
  });
}

for (const name of ['nul.txt', 'COM1', 'LPT¹', 'file:stream', 'dot.', 'space ', 'tab\t']) {
  test(`a file named ${JSON.stringify(name)} is restored with a warning, and left out in a project on a drive`, async () => {
    const { host, fs } = await withSnapshotOf(name, '/project');
    const { warnings } = await snapshot.rollback(host, 'saved');
    assert.ok(warnings.some((warning) => warning.includes('Windows')), `${warnings}`);
    assert.equal(fs.readFileSync(`/project/${name}`, 'utf8'), 'theirs');

    const windows = await withSnapshotOf(name, '/c:/project');
    const left = await snapshot.rollback(windows.host, 'saved');
    assert.ok(left.warnings.some((warning) => warning.includes('left out')), `${left.warnings}`);
    assert.deepEqual(windows.fs.readdirSync('/c:/project').sort(), ['.git', '.loopgate', 'a.txt']);
    assert.equal(windows.fs.readFileSync('/c:/project/a.txt', 'utf8'), 'a');
  });
}
