// Refs that lead to each other, as in a repository of strangers.
import assert from 'node:assert/strict';
import git from 'isomorphic-git';
import init, { snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { memfs } from 'memfs';
import { test } from 'node:test';

await init();

function project(refs) {
  const files = Object.entries(refs).map(([ref, text]) => [`/project/.git/${ref}`, text]);
  const { fs } = memfs({ '/project/a.txt': 'a', ...Object.fromEntries(files) });
  return { fs: fs.promises, dir: '/project', git: isomorphicGit({ git, fs, dir: '/project' }), store: fs };
}

const LOOP = { 'refs/heads/a': 'ref: refs/heads/b\n', 'refs/heads/b': 'ref: refs/heads/a\n' };

test('HEAD in a loop of refs is a git error that names it', async () => {
  const host = project({ HEAD: 'ref: refs/heads/a\n', ...LOOP });
  await assert.rejects(snapshot.save(host), { code: 'git', message: /HEAD leads to itself/ });
  await assert.rejects(host.git.resolveRef('refs/heads/a'), { message: /refs\/heads\/a leads to itself/ });
});

test('a tag in a loop of refs is left out of the list with a warning', async () => {
  const host = project({ HEAD: 'ref: refs/heads/main\n', 'refs/tags/bad': 'ref: refs/heads/a\n', ...LOOP });
  const { tag, warnings } = await snapshot.save(host);
  assert.match(warnings.join(), /refs\/tags\/bad cannot be resolved/);
  assert.deepEqual((await snapshot.list(host)).map((info) => info.tag), [tag]);
});

test('refs are followed as far as git follows them', async () => {
  const host = project({});
  const { oid } = await snapshot.save(host);
  const put = (ref, text) => host.store.writeFileSync(`/project/.git/${ref}`, `${text}\n`);
  put('HEAD', 'ref: refs/heads/1');
  for (const number of [1, 2, 3, 4]) put(`refs/heads/${number}`, `ref: refs/heads/${number + 1}`);
  put('refs/heads/5', oid);
  assert.equal(await host.git.resolveRef('HEAD'), oid);
  put('refs/heads/5', 'ref: refs/heads/6');
  put('refs/heads/6', oid);
  await assert.rejects(host.git.resolveRef('HEAD'), { message: /more than five refs/ });
});
