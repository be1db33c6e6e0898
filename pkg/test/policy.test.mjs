// The policy of the configuration: what `explainPolicy` answers, and what `guardFs`, the tools and the shell of a run do.
import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LoopgateError, explainPolicy, guardFs, loadConfig, runLoop, saveConfig } from 'loopgate';
import { call, done, notes, parsed, project, summary, task } from './project.mjs';

const FILE = '.handoff/config.yaml';
const POLICY = `policy:
  - decision: deny
    path: "migrations/**"
    reason: they are applied
  - { decision: deny, path: keys, access: read }
  - { decision: deny, command: git push }
  - { decision: deny, tool: deploy }
guard:
  deny:
    - legacy
`;
const FILES = { [FILE]: POLICY, 'migrations/1.sql': 'old', 'keys/id': 'secret', 'legacy/a.ts': 'old', 'src/a.ts': 'old' };

const TABLE = [
  [{ tool: 'write_file', path: 'migrations/2.sql' }, 'deny', 'policy[0]', 2],
  [{ tool: 'edit_file', path: './MIGRATIONS/1.sql' }, 'deny', 'policy[0]', 2],
  [{ tool: 'read_file', path: 'migrations/1.sql' }, 'allow', 'default'],
  [{ tool: 'read_file', path: 'keys/id' }, 'deny', 'policy[1]', 5],
  [{ tool: 'shell', command: 'npm test && git push -f' }, 'deny', 'policy[2]', 6],
  [{ tool: 'shell', command: 'cat keys/id' }, 'deny', 'policy[1]', 5],
  [{ tool: 'shell', command: 'cat key*/id' }, 'deny', 'policy[1]', 5],
  [{ tool: 'shell', command: 'echo $((1<<2))\ngit push\n2' }, 'deny', 'policy[2]', 6],
  [{ tool: 'shell', command: 'npm exec -- git push' }, 'deny', 'policy[2]', 6],
  [{ tool: 'shell', command: "$'\\x67it' push" }, 'deny', 'policy[2]', 6],
  [{ tool: 'shell', command: 'git commit -m "git push"' }, 'allow', 'default'],
  [{ tool: 'deploy' }, 'deny', 'policy[3]', 7],
  [{ tool: 'write_file', path: 'legacy/a.ts' }, 'deny', 'guard.deny[0]', 10],
  [{ tool: 'write_file', path: 'src/a.ts' }, 'allow', 'default'],
  [{ tool: 'write_file', path: 'src/a.ts', phase: 'plan' }, 'deny', 'plan-phase'],
  [{ tool: 'write_file', path: 'src/a.ts', role: 'reviewer' }, 'deny', 'tools'],
  [{ tool: 'write_file', path: 'specs/plans/a.md', role: 'planner' }, 'allow', 'default'],
  [{ tool: 'write_file', path: '.git/config' }, 'deny', 'git'],
];

const check = async (host) => {
  for (const [asked, decision, rule, line] of TABLE) {
    const place = line === undefined ? {} : { file: FILE, line };
    assert.deepEqual(await explainPolicy(host, asked), { decision, rule, ...place }, JSON.stringify(asked));
  }
};

test('explainPolicy names the rule with file and line', async () => {
  const { host } = await project({ files: FILES });
  await check(host);
});

test('explainPolicy reads a project on disk', async (t) => {
  const dir = nodeFs.mkdtempSync(join(tmpdir(), 'loopgate-policy-'));
  t.after(() => nodeFs.rmSync(dir, { recursive: true, force: true }));
  nodeFs.mkdirSync(join(dir, '.handoff'));
  nodeFs.writeFileSync(join(dir, FILE), POLICY);
  await check({ fs: nodeFs.promises, dir });
});

test('the layers of the IDE are not lifted by the file of the project', async () => {
  const { host } = await project({ files: { [FILE]: 'policy: [{ decision: allow }]' } });
  const asked = { tool: 'write_file', path: 'src/a.ts' };
  assert.deepEqual(await explainPolicy(host, asked), { decision: 'allow', rule: 'policy[0]', file: FILE, line: 1 });
  const global = 'policy: [{ decision: deny, path: src }]';
  assert.deepEqual(await explainPolicy(host, asked, { global }), { decision: 'deny', rule: 'policy[0]', line: 1 });
  const spec = { policy: [{ decision: 'allow', path: 'src/a.ts' }] };
  assert.deepEqual(await explainPolicy(host, asked, { global, spec }), { decision: 'allow', rule: 'policy[2]' });
});

test('a reviewer has the tools of the IDE with readOnly', async () => {
  const tools = [{ name: 'look', description: '', parameters: {}, readOnly: true, execute: () => '' }];
  const { host } = await project({ tools });
  assert.equal((await explainPolicy(host, { tool: 'look', role: 'reviewer' })).decision, 'allow');
  assert.equal((await explainPolicy(host, { tool: 'other', role: 'reviewer' })).rule, 'tools');
});

test('a wrong call and a wrong configuration are refused', async () => {
  const { host } = await project({ files: { [FILE]: 'policy:\n  - decision: deny\n    pth: src' } });
  const at = (error) => error instanceof LoopgateError && error.code === 'invalid-config' && error.line === 3 && error.column === 5;
  await assert.rejects(explainPolicy(host, { tool: 'shell' }), at);
  const { host: plain } = await project();
  await assert.rejects(explainPolicy(plain, { tool: 'shell', phase: 'lunch' }), { code: 'invalid-argument' });
  await assert.rejects(explainPolicy(plain, {}), { code: 'invalid-argument' });
});

test('guardFs holds the policy of a configuration', async () => {
  const { host, read } = await project({ files: FILES });
  const denied = [];
  const fs = guardFs(host.fs, { dir: host.dir, config: await loadConfig(host), onDenied: ({ path, rule }) => denied.push([path, rule]) });
  await assert.rejects(fs.writeFile('migrations/1.sql', 'no'), { code: 'EACCES' });
  await assert.rejects(fs.rename('Migrations', 'other'), { code: /EACCES|ENOENT/ });
  await assert.rejects(fs.rename('migrations', 'other'), { code: 'EACCES' });
  await assert.rejects(fs.readFile('keys/id'), { code: 'EACCES' });
  await fs.writeFile('src/a.ts', 'new');
  assert.equal(read('migrations/1.sql'), 'old');
  assert.equal(read('src/a.ts'), 'new');
  assert.deepEqual(denied[0], ['migrations/1.sql', 'policy[0]']);
  assert.deepEqual(denied.at(-1), ['keys/id', 'policy[1]']);
});

test('saveConfig writes rules and refuses wrong ones', async () => {
  const { host, read } = await project({ files: { [FILE]: '# mine\n' } });
  await saveConfig(host, { policy: [{ decision: 'deny', path: 'src/**' }] });
  assert.match(read(FILE), /^# mine\n/);
  assert.equal((await explainPolicy(host, { tool: 'write_file', path: 'src/a.ts' })).line, 3);
  await assert.rejects(saveConfig(host, { policy: [{ decision: 'deny', pth: 'src' }] }), { code: 'invalid-config' });
});

test('a run denies the shell and a tool alike, with an event each', async () => {
  const shell = { execute: (command) => (fs.writeFileSync('/project/migrations/1.sql', command), { exitCode: 0, stdout: '', stderr: '' }) };
  const format = { name: 'format', description: 'formats', parameters: {}, execute: async (_, { fs }) => (await fs.writeFile('migrations/1.sql', 'no'), 'ok') };
  const turns = [
    call('write_file', { path: 'migrations/1.sql', content: 'no' }),
    call('shell', { command: 'migrate' }),
    call('shell', { command: 'git push' }),
    call('format'),
    call('read_file', { path: 'keys/id' }),
    ...notes.slice(0, 1),
    summary,
    done,
  ];
  const { host, fs, read } = await project({ files: FILES, turns, shell, tools: [format] });
  const run = runLoop({ ...host, work: { kind: 'task', message: 'Write notes', parsed }, plan: 'off' });
  const denied = [];
  for await (const event of run) if (event.type === 'write-denied') denied.push([event.path, event.rule]);
  await run.result;
  assert.deepEqual(denied, [
    ['migrations/1.sql', 'policy[0]'],
    ['migrations/1.sql', 'policy[0]'],
    ['git push', 'policy[2]'],
    ['migrations/1.sql', 'policy[0]'],
    ['keys/id', 'policy[1]'],
  ]);
  assert.equal(read('migrations/1.sql'), 'old');
  assert.equal(read('notes.md'), 'notes');
});

const ASKING = { [FILE]: 'policy:\n  - { decision: ask, path: "public/**", reason: customers see it }\n' };
const publish = call('write_file', { path: 'public/a.html', content: '<h1>Tea</h1>' });
const work = { kind: 'task', message: 'Write notes', parsed };

test('a call that needs the user waits for any page, whose note reaches the agent', async () => {
  const { host, model, read } = await project({ files: ASKING, turns: [publish, publish, ...notes.slice(0, 1), summary, done] });
  assert.deepEqual(await explainPolicy(host, { tool: 'write_file', path: 'public/a.html' }), { decision: 'ask', rule: 'policy[0]', file: FILE, line: 2 });
  const { reason, runId, questions } = await runLoop({ ...host, work, plan: 'off' }).result;
  const [{ id, kind, details }] = questions;
  assert.deepEqual([reason, kind, details.name, details.args.path, details.why.line], ['waiting', 'tool', 'write_file', 'public/a.html', 2]);
  assert.equal(read('public/a.html'), null);
  const answers = { [id]: { decision: 'allow', note: 'keep the prices' } };
  const { success, message } = await runLoop({ ...host, work, plan: 'off', resume: runId, answers }).result;
  assert.ok(success, message);
  assert.equal(read('public/a.html'), '<h1>Tea</h1>');
  assert.match(JSON.stringify(model.requests[1].messages), /Follow the user's note: keep the prices/);
});

test('the hook approveTool answers in the page, and gets what beforeTool asks about', async () => {
  const asked = [];
  const hooks = {
    beforeTool: ({ args }) => (args.path === 'notes.md' ? { decision: 'ask', reason: 'it is new' } : { decision: 'allow' }),
    approveTool: async (question) => {
      asked.push([question.args.path, question.why.reason ?? question.why.rule]);
      return question.name === 'write_file' && question.args.path === 'notes.md' ? { decision: 'allow' } : { decision: 'deny', reason: 'not now' };
    },
  };
  const { host, model, read } = await project({ files: ASKING, hooks, turns: [publish, ...notes.slice(0, 1), summary, done] });
  const { success, message } = await runLoop({ ...host, work, plan: 'off' }).result;
  assert.ok(success, message);
  assert.deepEqual(asked, [['public/a.html', 'customers see it'], ['notes.md', 'it is new']]);
  assert.deepEqual([read('public/a.html'), read('notes.md')], [null, 'notes']);
  assert.match(JSON.stringify(model.requests[1].messages), /the user does not allow this call: not now/);
});

test('a file system of another tool, which can ask nobody, denies', async () => {
  const { host } = await project({ files: ASKING });
  const fs = guardFs(host.fs, { dir: host.dir, config: await loadConfig(host) });
  await assert.rejects(fs.writeFile('public/a.html', 'no'), { code: 'EACCES', message: /needs the user's approval/ });
});

test('what the user changes while a question of beforeTool is open stays', async () => {
  let edit = () => {};
  const hooks = {
    beforeTool: ({ name, args }) => ({ decision: name === 'write_file' && args.path === 'notes.md' ? 'ask' : 'allow', reason: 'it is new' }),
    approveTool: async () => (edit(), { decision: 'allow' }),
  };
  const { host, fs, read } = await project({ files: FILES, hooks, turns: notes });
  edit = () => fs.writeFileSync('/project/migrations/1.sql', 'by the user');
  const run = runLoop({ ...host, work, plan: 'off' });
  const byUser = [];
  for await (const event of run) if (event.type === 'user-changed') byUser.push(...event.files.map(({ path }) => path));
  assert.ok((await run.result).success);
  assert.deepEqual([read('migrations/1.sql'), byUser], ['by the user', ['migrations/1.sql']]);
});

test('an answer is about one secret, and the user sees it', async () => {
  const secrets = ['sk-first-0123456789', 'sk-second-987654321'];
  const shown = [];
  const hooks = { approveTool: async ({ args }) => (shown.push(args.content), { decision: 'allow' }) };
  const writes = secrets.map((secret) => call('write_file', { path: 'public/key', content: secret }));
  const { host, read } = await project({ files: ASKING, hooks, secrets, turns: [...writes, ...notes.slice(0, 1), summary, done] });
  assert.ok((await runLoop({ ...host, work, plan: 'off' }).result).success);
  assert.deepEqual([shown, read('public/key')], [secrets, secrets[1]]);
});

test('a pattern that covers no path and a misspelt hook are refused', async () => {
  for (const path of ['!a.md', '../x', 'a/../b']) {
    const { host } = await project();
    await assert.rejects(loadConfig(host, { spec: { policy: [{ decision: 'deny', path }] } }), { code: 'invalid-config' }, path);
  }
  const { host } = await project();
  const misspelt = { ...host, hooks: { beforeTol: () => ({ decision: 'deny' }) }, work: task() };
  assert.throws(() => runLoop(misspelt), { code: 'invalid-argument', message: /hooks\.beforeTol.*`beforeTool`/ });
});
