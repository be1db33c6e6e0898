import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import git from 'isomorphic-git';
import init, { explainConfig, findUnfinishedRun, leaveBranch, loadConfig, mergeBranch, runLoop } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';

await init();

const SPEC = '.handoff/specs/shop';
const ship = { content: '{"decision":"SHIP","issues":[]}', finish_reason: 'stop' };
const call = (name, args) => ({ id: `${name}-${Math.random()}`, type: 'function', function: { name, arguments: JSON.stringify(args) } });
const build = (files) => ({
  content: null,
  finish_reason: 'tool_calls',
  tool_calls: [...Object.entries(files).map(([path, content]) => call('write_file', { path, content })), call('complete_task', { summary: 'Done.' })],
});
const revise = (agentPrompt) => ({
  content: JSON.stringify({ decision: 'REVISE', issues: [{ file: 'src/a.ts', lines: [1, 1], type: 'race_condition', severity: 'high', description: 'A race.', suggestion: '', agentPrompt }] }),
  finish_reason: 'stop',
});

/** A project that real git committed, with two chunks. */
function project(t, files = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'loopgate-chunks-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const put = (path, text) => {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  const run = (...args) => execFileSync('git', ['-C', dir, '-c', 'user.name=u', '-c', 'user.email=u@example.com', ...args], { stdio: 'pipe' }).toString().trim();
  const chunks = [
    { id: 'a', title: 'Add "a" & $(b)', description: 'Write src/a.ts.' },
    { id: 'b', title: 'Add b', description: 'Write src/b.ts.', dependencies: ['a'] },
  ];
  const all = { 'index.html': '<p>hi</p>\n', '.gitignore': 'node_modules\n.loopgate\n', [`${SPEC}/spec.md`]: '# Shop\n', [`${SPEC}/chunks.json`]: JSON.stringify(chunks), ...files };
  for (const [path, text] of Object.entries(all)) put(path, text);
  run('init', '-q', '-b', 'main');
  run('add', '.');
  run('commit', '-qm', 'by the user');
  const host = { fs: fs.promises, dir, git: isomorphicGit({ git, fs, dir }) };
  return { dir, put, run, host, text: (path) => readFileSync(join(dir, path), 'utf8') };
}

/** Answers by role; the last answer of a role is repeated. */
function roles(script) {
  const requests = [];
  const model = async (request) => {
    requests.push(request);
    const answers = script[request.role] ?? [{ content: '', finish_reason: 'stop' }];
    return answers.length > 1 ? answers.shift() : answers[0];
  };
  return { model, requests };
}

async function drive(options) {
  const run = runLoop({ ...options, work: { kind: 'chunks', spec: 'shop' } });
  const events = [];
  for await (const event of run) {
    events.push(event);
    options.onEvent?.(event);
  }
  return { events, result: await run.result, id: run.id };
}

test('each verified spec is one commit on its own branch, which is merged into the user\'s', async (t) => {
  const { host, run, put } = project(t, { 'specs/0001-foo.md': '# Foo\n', 'specs/0002-bar.md': '# Bar\n' });
  put('index.html', '<p>mine</p>\n');
  const calls = (...calls) => ({ content: null, finish_reason: 'tool_calls', tool_calls: calls });
  const writes = (path, content = '# Text\n') => calls(call('write_file', { path, content }), call('complete_task', {}));
  const { model } = roles({
    planner: [writes('specs/plans/0001-foo.md'), writes('specs/plans/0002-bar.md')],
    builder: [writes('src/foo.ts', 'foo\n'), writes('src/bar.ts', 'bar\n')],
    verifier: [calls(call('complete_task', { verdict: 'accept', reason: '' }))],
  });
  const running = runLoop({ ...host, model, work: { kind: 'spec' }, config: { git: { commit: true, after: 'return' } } });
  const finished = [];
  for await (const event of running) if (event.type === 'spec-finished') finished.push(event);
  const { success, message } = await running.result;
  assert.equal(success, true, message);
  assert.match(message, /spec\/0001-foo, spec\/0002-bar/);
  assert.equal(run('branch', '--show-current'), 'main');
  for (const [at, [id, name]] of [['0001-foo', 'foo'], ['0002-bar', 'bar']].entries()) {
    assert.equal(finished[at].commit, run('rev-parse', `spec/${id}`));
    assert.equal(run('rev-parse', `spec/${id}^`), run('rev-parse', 'main'));
    assert.equal(run('diff', '--name-only', 'main', `spec/${id}`), `specs/done/${id}.md\nspecs/plans/${id}.json\nspecs/plans/${id}.md\nsrc/${name}.ts`);
  }
  assert.equal(run('status', '--porcelain', '--', ':!runs'), 'M index.html', 'only the change of the user is left');
  for (const id of ['0001-foo', '0002-bar']) await mergeBranch(host, id);
  assert.equal(run('ls-files', 'src'), 'src/bar.ts\nsrc/foo.ts');
  assert.equal(run('status', '--porcelain', '--', ':!runs'), 'M index.html');
  assert.match(run('fsck', '--strict', '--no-dangling'), /^$/);
});

test('each shipped chunk is one commit, and git status is clean after it', async (t) => {
  const { host, run, text } = project(t);
  const { model, requests } = roles({
    builder: [build({ 'src/a.ts': 'racy\n' }), build({ 'src/a.ts': 'export const a = 1;\n' }), build({ 'src/b.ts': 'b\n' })],
    reviewer: [revise('Take the lock.'), ship],
    summarizer: [{ content: '{"summary":"a exists"}', finish_reason: 'stop' }],
  });
  const main = run('rev-parse', 'main');
  const status = [];
  const { events, result } = await drive({ ...host, model, onEvent: ({ type }) => type === 'chunk-committed' && status.push(run('status', '--porcelain')) });
  assert.equal(result.success, true, result.message);
  assert.deepEqual(status, ['', '']);
  assert.deepEqual(run('log', '--format=%s', 'spec/shop').split('\n'), ['Add b', 'Add "a" & $(b)', 'by the user']);
  assert.deepEqual([run('rev-parse', 'main'), run('branch', '--show-current'), run('status', '--porcelain')], [main, 'spec/shop', '']);
  run('fsck', '--strict');
  const prompts = requests.filter(({ role, messages }) => role === 'builder' && messages.length === 2).map(({ messages }) => messages[1].content);
  assert.match(prompts[1], /Take the lock\./);
  assert.equal(text(`${SPEC}/iterations/a/iteration-1/context.md`), prompts[0]);
  assert.match(text(`${SPEC}/iterations/a/iteration-1/changes.patch`), /\+racy/);
  assert.equal(JSON.parse(text(`${SPEC}/iterations/a/iteration-1/review.json`)).decision, 'REVISE');
  assert.deepEqual(events.filter(({ type }) => type === 'review-given').map(({ tier }) => tier), ['quick', 'quick', 'deep', 'quick', 'deep', 'final']);
  assert.match(text(`${SPEC}/pull-request.md`), /a exists/);
});

test('work of the user is neither lost nor committed', async (t) => {
  const { host, run, put, text } = project(t);
  put('index.html', '<p>a draft</p>\n');
  put('staged.txt', 'staged\n');
  run('add', 'staged.txt');
  put('notes.txt', 'mine\n');
  const { model } = roles({ builder: [build({ 'src/a.ts': '1\n' }), build({ 'src/a.ts': '2\n' }), build({ 'src/b.ts': 'b\n' })], reviewer: [revise('No.'), ship] });
  const { result } = await drive({ ...host, model });
  assert.equal(result.success, true, result.message);
  assert.equal(run('status', '--porcelain'), 'M index.html\nA  staged.txt\n?? notes.txt');
  assert.equal(text('index.html'), '<p>a draft</p>\n');
  assert.deepEqual(run('log', '--name-only', '--format=', 'main..spec/shop').split('\n').filter(Boolean).sort(), ['src/a.ts', 'src/b.ts']);
});

test('an inconclusive review rejects, and the resumed run reviews the same attempt again', async (t) => {
  const { host, run } = project(t);
  const script = { builder: [build({ 'src/a.ts': 'a\n' }), build({ 'src/b.ts': 'b\n' })], reviewer: [{ content: 'Looks good!', finish_reason: 'stop' }] };
  const { model, requests } = roles(script);
  await assert.rejects(drive({ ...host, model }), { code: 'model' });
  assert.equal(run('status', '--porcelain'), '?? src/');
  const unfinished = await findUnfinishedRun(host);
  assert.deepEqual([unfinished.work, unfinished.phase], [{ kind: 'chunks', spec: 'shop' }, 'review']);
  script.reviewer = [ship];
  const { result } = await drive({ ...host, model, resume: unfinished.runId });
  assert.equal(result.success, true, result.message);
  assert.equal(requests.filter(({ role, messages }) => role === 'builder' && messages.length === 2).length, 2);
});

test('an exit code that a shell port must not return makes the verification inconclusive and says so', async (t) => {
  const { host, run, put } = project(t);
  put('.handoff/config.yaml', 'verification:\n  enabled: true\n  steps: [{ name: Types, command: tsc }]\n');
  const { model } = roles({ builder: [build({ 'src/a.ts': 'a\n' }), build({ 'src/b.ts': 'b\n' })], reviewer: [ship] });
  let resume;
  for (const [answer, said] of [
    [{ exitCode: 300 }, /shell\.execute failed: the shell returned the exit code 300; a shell port must return `exitCode`, an integer from 0 to 255/],
    [{ exitCode: -1 }, /the exit code -1/],
    [{ exitCode: 1.5 }, /the exit code 1\.5/],
    [{ exitCode: null }, /no exit code/],
    [{ exitCode: NaN }, /no exit code/],
    [{}, /no exit code/],
    [{ exitCode: '0' }, /not a number/],
  ]) {
    const shell = { execute: () => ({ stdout: '', stderr: '', ...answer }) };
    await assert.rejects(drive({ ...host, model, shell, resume }), (error) => {
      assert.equal(error.code, 'shell');
      assert.match(error.message, said);
      assert.doesNotMatch(error.message, /u8|u32|i32|invalid type/);
      return true;
    });
    assert.equal(run('status', '--porcelain', 'src'), '?? src/', 'the attempt stays');
    resume = (await findUnfinishedRun(host)).runId;
  }
  const shell = { execute: () => ({ exitCode: 0, stdout: '', stderr: '' }) };
  const { result } = await drive({ ...host, model, shell, resume });
  assert.equal(result.success, true, result.message);
});

test('the configuration selects the models, and what is wrong with it is refused before any of them is called', async (t) => {
  const { host, put } = project(t);
  put('.handoff/config.yaml', 'tools:\n  executors: [{ id: one }, { id: two }]\ndefaults:\n  executor: one\n');
  const { model, requests } = roles({ builder: [build({ 'src/a.ts': 'a\n' }), build({ 'src/b.ts': 'b\n' })], reviewer: [ship] });
  const other = roles({ reviewer: [ship] });
  await assert.rejects(drive({ ...host, model }), { code: 'invalid-config', message: /"one"/ });
  await assert.rejects(drive({ ...host, model, config: { defaults: { maxIterations: 21 } } }), { code: 'invalid-config', message: /maxIterations/ });
  assert.equal(requests.length, 0);
  const models = { one: () => assert.fail('the layer selects two'), two: model };
  const { result } = await drive({ ...host, model: other.model, models, config: { defaults: { executor: 'two' } } });
  assert.equal(result.success, true, result.message);
  assert.ok(requests.every(({ role }) => role === 'builder') && other.requests.every(({ role }) => role !== 'builder'));
  const config = await loadConfig(host, { spec: { defaults: { executor: 'two' } } });
  assert.deepEqual([explainConfig(config, 'defaults.executor').layer, explainConfig(config, 'defaults.maxIterations').value], ['spec', 5]);
});

/** A run without hooks, which waits with the chunk that a planner proposed. */
async function proposed(t) {
  const { host, run } = project(t, { [`${SPEC}/chunks.json`]: '[]' });
  run('rm', '-q', `${SPEC}/chunks.json`);
  run('commit', '-qm', 'no chunks');
  const chunks = [{ id: 'x', title: 'Add x', description: 'Write src/x.ts.' }];
  const planner = [{ content: JSON.stringify({ chunks }), finish_reason: 'stop' }];
  const { model, requests } = roles({ planner, builder: [build({ 'src/x.ts': 'x\n' })], reviewer: [ship] });
  return { host, run, model, requests, chunks, waiting: await drive({ ...host, model }) };
}

test('proposed chunks run after the hook approved them, and the draft goes to the pull request', async (t) => {
  const { host, run, model, requests, chunks, waiting } = await proposed(t);
  assert.deepEqual([waiting.result.reason, requests.length, run('status', '--porcelain')], ['waiting', 1, '']);
  const drafts = [];
  const hooks = { approveChunks: async ([first]) => ({ decision: 'allow', chunks: [{ ...first, title: 'Add x as edited' }] }), pullRequest: async (draft) => void drafts.push(draft) };
  const { result } = await drive({ ...host, model, hooks });
  assert.equal(result.success, true, result.message);
  assert.deepEqual(run('log', '--format=%s', '-1'), 'Add x as edited');
  assert.equal(run('status', '--porcelain'), '');
  assert.deepEqual(drafts.map(({ branch, base, title }) => ({ branch, base, title })), [{ branch: 'spec/shop', base: 'main', title: 'Shop' }]);
});

test('any page answers the question of a run that waits, and the chat of the run can be read again', async (t) => {
  const { host, run, model, requests, chunks, waiting } = await proposed(t);
  const [question] = waiting.result.questions;
  assert.deepEqual([waiting.result.reason, question.kind, question.details[0].title], ['waiting', 'chunks', 'Add x']);
  const found = await findUnfinishedRun(host);
  assert.deepEqual(found.questions, [question]);
  const resumed = { ...host, model, work: found.work, resume: found.runId };
  assert.throws(() => runLoop({ ...host, model, work: found.work, answers: { [question.id]: { decision: 'allow' } } }), { code: 'invalid-argument', message: /resume/ });
  await assert.rejects(runLoop({ ...resumed, answers: { other: { decision: 'allow' } } }).result, { code: 'invalid-argument', message: /chunks-1/ });
  const value = [{ ...chunks[0], title: 'Add x as edited' }];
  const { result, events } = await drive({ ...resumed, answers: { [question.id]: { decision: 'allow', note: 'Use tabs.', value } } });
  assert.deepEqual([result.reason, result.questions[0].kind, result.questions[0].details.branch], ['done', 'pull-request', 'spec/shop']);
  assert.match(JSON.stringify(requests.find(({ role }) => role === 'builder').messages), /Use tabs\./);
  assert.equal(run('log', '--format=%s', '-1'), 'Add x as edited');
  const answers = events.filter(({ type }) => type === 'model-answered').map(({ answer }) => answer);
  assert.ok(answers.length >= 2 && answers[0] === 2 && answers.every((answer, index) => index === 0 || answer > answers[index - 1]), `the planner gave the first answer: ${answers}`);
});

test('the branch of a spec is merged as git merges it, and what is not committed stays', async (t) => {
  const { run, host, put, text } = project(t);
  const { model } = roles({ builder: [build({ 'src/a.ts': 'a\n' }), build({ 'src/b.ts': 'b\n' })], reviewer: [ship] });
  const result = await runLoop({ ...host, model, work: { kind: 'chunks', spec: 'shop' }, config: { git: { after: 'return' } } }).result;
  assert.equal(result.success, true, result.message);
  assert.equal(run('branch', '--show-current'), 'main');
  put('index.html', '<p>hello</p>\n');
  run('commit', '-qam', 'meanwhile');
  put('notes.txt', 'mine\n');
  const merged = await mergeBranch(host, 'shop');
  assert.deepEqual(merged, { commit: run('rev-parse', 'main'), fastForward: false });
  assert.equal(run('log', '-1', '--format=%P'), `${run('rev-parse', 'main~1')} ${run('rev-parse', 'spec/shop')}`);
  assert.deepEqual(['index.html', 'src/a.ts', 'src/b.ts', 'notes.txt'].map(text), ['<p>hello</p>\n', 'a\n', 'b\n', 'mine\n']);
  assert.equal(run('status', '--porcelain'), '?? notes.txt');
  run('fsck', '--strict');
  await assert.rejects(leaveBranch(host), { code: 'conflict' });
});
