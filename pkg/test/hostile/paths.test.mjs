// Hostile paths at every door that writes: they are refused by the same rule under any policy, and nothing changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardFs, loadConfig, runLoop } from 'loopgate';
import { call, notes, project, task } from '../project.mjs';

const TARGETS = ['.git/config', '.git/HEAD', '.git/hooks/pre-commit', '.loopgate/journal/run/1.jsonl', '.loopgate/leases.json', '.ralph/task.md', '.handoff/config.yaml', 'sub/.git/config'];

/** The same file for some file system, or a file outside of the project. */
const SPELLINGS = [
  (path) => path,
  (path) => `./${path}`,
  (path) => `src/../${path}`,
  (path) => `/project/${path}`,
  (path) => `/project/src/..//./${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replace(/^(sub\/)?\.(\w+)/, '$1.$2.'),
  (path) => path.replace(/^(sub\/)?\.(\w+)/, '$1.$2 '),
  (path) => path.replace(/^(sub\/)?\.(\w)/, '$1.\u200c$2'),
  (path) => path.replace(/^(sub\/)?\.(\w+)/, '$1.$2::$$INDEX_ALLOCATION'),
  (path) => path.replace(/\.(\w+)\//, (_, name) => `${name.slice(0, 6).toUpperCase()}~1/`),
  (path) => `src/a/../../${path}`,
];
const OUTSIDE = ['..', '../out.txt', '../../out.txt', '/etc/passwd', '/project/../out.txt', 'src/../../out.txt', '..\\out.txt', '/', '', '/project', '/projects/a.txt', 'src/\0/a.txt'];
const PATHS = [...new Set([...TARGETS.flatMap((path) => SPELLINGS.map((spell) => spell(path))), ...OUTSIDE])];

const POLICIES = { none: [], 'allows all': [{ decision: 'allow', path: '**' }], 'denies others': [{ decision: 'deny', path: 'docs/**' }, { decision: 'allow', path: '/**' }] };

const DOORS = {
  write_file: (path) => ({ path, content: 'x' }),
  edit_file: (path) => ({ path, old_text: 'a', new_text: 'b' }),
  delete_file: (path) => ({ path }),
  move_to: (path) => ({ from: 'README.md', to: path }),
  move_from: (path) => ({ from: path, to: 'src/stolen.txt' }),
};

test(`${PATHS.length} hostile paths are refused by every tool, and a policy changes nothing`, async () => {
  assert.ok(PATHS.length >= 120);
  const refused = {};
  for (const [name, policy] of Object.entries(POLICIES)) {
    const calls = Object.entries(DOORS).flatMap(([door, args]) => PATHS.map((path) => ({ name: door.startsWith('move') ? 'move_file' : door, args: args(path) })));
    const { host, read } = await project({ turns: [{ toolCalls: calls }, ...notes] });
    const run = runLoop({ ...host, work: task(), plan: 'off', config: { policy }, limits: { maxToolCallsPerIteration: 10_000 } });
    const results = [];
    for await (const event of run) if (event.type === 'tool-result') results.push(event);
    assert.equal((await run.result).success, true);
    const passed = results.slice(0, calls.length).flatMap(({ ok }, at) => (ok ? [JSON.stringify(calls[at])] : []));
    assert.deepEqual(passed, [], name);
    refused[name] = results.slice(0, calls.length).map(({ output }) => output);
    assert.deepEqual([read('README.md'), read('src/stolen.txt'), read('../out.txt')], ['hello', null, null]);
  }
  assert.deepEqual(refused['allows all'], refused.none);
  assert.deepEqual(refused['denies others'], refused.none);
});

test('hostile paths are refused by the file system of the IDE’s tools, and a policy changes nothing', async () => {
  const refused = {};
  for (const [name, policy] of Object.entries(POLICIES)) {
    const { host } = await project();
    const config = await loadConfig(host, { spec: { policy } });
    const fs = guardFs(host.fs, { dir: '/project', phase: 'build', config });
    const at = (path) => (path.startsWith('/') ? path : `/project/${path}`);
    const message = (operation, path) => operation.then(() => assert.fail(`${path} is open`), (error) => `${error.code} ${error.message}`);
    refused[name] = [];
    for (const path of PATHS) {
      refused[name].push(await message(fs.writeFile(at(path), 'x'), path), await message(fs.unlink(at(path)), path), await message(fs.rename('/project/README.md', at(path)), path));
    }
  }
  assert.deepEqual(refused['allows all'], refused.none);
  assert.deepEqual(refused['denies others'], refused.none);
});
