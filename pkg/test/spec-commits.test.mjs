// Specs that are committed, with the real isomorphic-git over memfs, which keeps the count of a folder after a rename.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import git from 'isomorphic-git';
import { mergeBranch, runLoop } from 'loopgate';
import { call, done, project } from './project.mjs';

const author = { name: 'User', email: 'user@example.com' };

async function committed(turns) {
  const files = {
    'README.md': 'hello',
    '.gitignore': '/runs/\n',
    '.handoff/config.yaml': 'git: { commit: true }\n',
    'specs/0001-tea.md': '# Tea\n\nWrite tea.md.\n',
    'specs/0002-green cup.md': '# Cup\n\nWrite cup.md.\n',
  };
  const made = await project({ files, turns });
  const at = { fs: made.fs, dir: '/project' };
  await git.init({ ...at, defaultBranch: 'main' });
  await git.add({ ...at, filepath: '.' });
  await git.commit({ ...at, message: 'first', author });
  return { ...made, at };
}

const spec = (id, path) => [
  call('write_file', { path: `specs/plans/${id}.md`, content: '# Plan\n' }),
  done,
  call('write_file', { path, content: 'text\n' }),
  done,
  call('complete_task', { verdict: 'accept', reason: 'it is there' }),
];

test('two specs are committed to branches of their own, and each branch is merged by its id, its path or its name', async () => {
  const { host, at, read } = await committed([...spec('0001-tea', 'tea.md'), ...spec('0002-green cup', 'cup.md')]);
  const result = await runLoop({ ...host, work: { kind: 'spec' } }).result;
  assert.equal(result.success, true, result.message);
  const branches = (await git.listBranches(at)).filter((branch) => branch !== 'main');
  assert.equal(branches.length, 2, `${branches}`);
  assert.equal((await mergeBranch(host, 'specs/0001-tea.md')).fastForward, true);
  // A name that git does not take is encoded in the branch.
  const encoded = branches.find((branch) => branch.includes('0002'));
  assert.notEqual(encoded, 'spec/0002-green cup');
  assert.equal((await mergeBranch(host, encoded)).fastForward, false);
  assert.deepEqual([await git.currentBranch(at), read('tea.md'), read('cup.md')], ['main', 'text\n', 'text\n']);
  await assert.rejects(mergeBranch(host, '0009-none'), { code: 'not-found' });
});
