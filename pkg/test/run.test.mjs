import assert from 'node:assert/strict';
import { test } from 'node:test';
import git from 'isomorphic-git';
import { LoopgateError, findUnfinishedRun, followRun, runLoop } from 'loopgate';
import { call, done, notes, parsed, project, summary, task } from './project.mjs';

/** Resolves with the first event of a type. */
async function seen(run, type) {
  for await (const event of run) if (event.type === type) return event;
  throw new Error(`the run ended without ${type}`);
}

const isLoopgateError = (code, words) => (error) => {
  assert.ok(error instanceof LoopgateError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, words);
  return true;
};

test('a task runs through its phases to a snapshot', async () => {
  const { host, read, model } = await project({ turns: notes });
  const run = runLoop({ ...host, work: task() });
  const events = await collect(run);
  const result = await run.result;
  assert.deepEqual([result.success, result.reason, result.runId], [true, 'done', run.id]);
  assert.deepEqual(result.snapshots, { pre: 'task-1-pre', post: 'task-1-post' });
  assert.equal(read('notes.md'), 'notes');
  assert.equal(model.remaining, 0);
  assert.equal(events[0].type, 'run-started');
  assert.equal(events.at(-1).type, 'run-finished');
  assert.deepEqual(events.at(-1).result, result);
  assert.ok(events.every(({ v, at, runId }) => v === 1 && at > 0 && runId === run.id));
  assert.ok(events.every(({ seq }, at) => at === 0 || seq >= events[at - 1].seq));
});

async function collect(run) {
  const events = [];
  for await (const event of run) events.push(event);
  return events;
}

test("the harness's own files are one event per step, apart from the project's files", async () => {
  const { host } = await project({ turns: notes });
  const events = await collect(runLoop({ ...host, work: task() }));
  const began = events.findIndex(({ type }) => type === 'iteration-started');
  const before = events.slice(0, began).filter(({ type }) => type === 'harness-files-changed');
  assert.deepEqual(before.map(({ paths }) => paths.includes('.ralph/task.md')), [true]);
  const own = events.filter(({ type }) => type === 'harness-files-changed').flatMap(({ paths }) => paths);
  assert.ok(own.every((path) => path.startsWith('.ralph/')));
  assert.deepEqual(events.filter(({ type, by }) => type === 'file-changed' && by === 'harness'), []);
});

test('every reader gets every event, also a late one', async () => {
  const { host } = await project({ turns: notes });
  const run = runLoop({ ...host, work: task() });
  const [first, second] = await Promise.all([collect(run), collect(run)]);
  await run.result;
  const late = await collect(run);
  assert.ok(first.length > 10);
  assert.deepEqual(second, first);
  assert.deepEqual(late, first);
});

test('a reader that leaves does not end the run', async () => {
  const { host } = await project({ turns: notes });
  const run = runLoop({ ...host, work: task() });
  for await (const event of run) if (event.type === 'iteration-started') break;
  assert.equal((await run.result).reason, 'done');
});

test('a run needs no reader', async () => {
  const { host, read } = await project({ turns: notes });
  assert.equal((await runLoop({ ...host, work: task() }).result).success, true);
  assert.equal(read('.ralph/status.txt')?.trim(), 'complete');
});

test('an abort ends a hanging model call, and nothing runs afterwards', async () => {
  const { host, model, read } = await project({ turns: [{ hang: true }, ...notes] });
  const run = runLoop({ ...host, work: task() });
  await seen(run, 'iteration-started');
  run.abort('changed my mind');
  const { success, reason, message } = await run.result;
  assert.deepEqual([success, reason], [false, 'aborted']);
  assert.match(message, /changed my mind/);
  assert.equal((await collect(run)).at(-1).type, 'run-finished');
  assert.equal(model.remaining, 3);
  assert.equal(read('notes.md'), null);
  run.abort('again');
  run.steer('too late');
});

test('a signal aborts the run; with an aborted signal, the model is not called', async () => {
  const { host, model } = await project({ turns: [{ hang: true }] });
  const controller = new AbortController();
  const run = runLoop({ ...host, work: task(), signal: controller.signal });
  await seen(run, 'iteration-started');
  controller.abort(new Error('closed the tab'));
  const result = await run.result;
  assert.equal(result.reason, 'aborted');
  assert.match(result.message, /closed the tab/);

  const early = runLoop({ ...host, work: task(), signal: AbortSignal.abort() });
  assert.equal((await early.result).reason, 'aborted');
  assert.equal(model.requests.length, 1);
});

test('dispose aborts the run and waits for its end', async () => {
  const { host } = await project({ turns: [{ hang: true }] });
  const run = runLoop({ ...host, work: task() });
  await seen(run, 'iteration-started');
  await run[Symbol.asyncDispose]();
  assert.equal((await run.result).reason, 'aborted');
});

test('a steering message is in the next model request', async () => {
  let run;
  const steer = () => {
    run.steer('also say hello');
    return call('list_files');
  };
  const { host, model } = await project({ turns: [steer, ...notes] });
  run = runLoop({ ...host, work: task() });
  assert.equal((await run.result).success, true);
  assert.ok(model.requests[1].messages.some(({ role, content }) => role === 'user' && content.includes('also say hello')));
});

test('streamed text is sent as events', async () => {
  const { host } = await project({ turns: [{ stream: ['Let ', 'me'], toolCalls: done.toolCalls }, ...notes] });
  const run = runLoop({ ...host, work: task() });
  const words = (await collect(run)).filter(({ type }) => type === 'text-delta').map(({ text }) => text);
  assert.deepEqual(words.slice(0, 2), ['Let ', 'me']);
});

test('a call that the model writes is sent as events, which the journal does not have', async () => {
  const { host } = await project({ turns: notes });
  const [first, second] = '🍓'.split('');
  const model = (request, context) => {
    for (const [id, text] of [['1', ''], ['1', `{"a":"${first}`], ['2', '{'], ['1', `${second}"}`]]) context.onDelta({ type: 'tool', id, name: 'f', text });
    return host.model(request, context);
  };
  const run = runLoop({ ...host, model, work: task() });
  const events = (await collect(run)).filter(({ type }) => type === 'tool-delta').slice(0, 4);
  assert.deepEqual(events.map(({ id, name, text }) => [id, name, text]), [['1', 'f', ''], ['1', 'f', '{"a":"'], ['2', 'f', '{'], ['1', 'f', '🍓"}']]);
  const replayed = await collect(followRun(host, { runId: run.id }));
  assert.ok(replayed.length > 0 && !replayed.some(({ type }) => type === 'tool-delta'));
});

test('surrogate pairs split across deltas are joined', async () => {
  const { host } = await project({ turns: notes });
  const [first, second] = '🍓'.split('');
  const model = (request, context) => {
    for (const text of ['a', `b${first}`, `${second}c`, first, second, '', 'd', second]) context.onDelta({ type: 'text', text });
    context.onDelta({ type: 'reasoning', text: 'r' });
    for (const odd of [null, {}, { type: 'text', text: 1 }, { type: 'else', text: '' }]) context.onDelta(odd);
    return host.model(request, context);
  };
  const words = (await collect(runLoop({ ...host, model, work: task() }))).filter(({ type }) => type.endsWith('-delta')).slice(0, 7);
  assert.deepEqual(words.map(({ text }) => text), ['a', 'b', '🍓c', '🍓', 'd', '\ufffd', 'r']);
});

test('a failing file system rejects the result and ends the events', async () => {
  const { host } = await project({ turns: notes });
  let writes = 0;
  const failing = { code: 'ENOSPC', message: 'the disk is full' };
  const writeFile = (...args) => (++writes > 3 ? Promise.reject(failing) : host.fs.writeFile(...args));
  const run = runLoop({ ...host, fs: with_(host.fs, { writeFile }), work: task() });
  await assert.rejects(collect(run).then((events) => assert.equal(events.at(-1).type, 'run-failed')).then(() => run.result), (error) => {
    isLoopgateError('fs', /the disk is full/)(error);
    assert.equal(error.cause, failing);
    assert.match(error.path, /^\/project\//);
    return true;
  });
});

test('if the failure cannot be journaled, the iterator throws it', async () => {
  const { host } = await project({ turns: notes });
  const run = runLoop({ ...host, fs: with_(host.fs, { readdir: () => Promise.reject('no') , readFile: () => { throw 7 } }), work: task() });
  await assert.rejects(collect(run), isLoopgateError('fs', /fs\.\w+ .*failed/));
  await assert.rejects(run.result, LoopgateError);
});

/** The same files with other methods in places. */
function with_(fs, methods) {
  return new Proxy(fs, { get: (target, name) => methods[name] ?? (typeof target[name] === 'function' ? target[name].bind(target) : target[name]) });
}

test('an unfinished run is found and resumed', async () => {
  const { host, model } = await project({ turns: [notes[0], { hang: true }, summary, done] });
  assert.equal(await findUnfinishedRun(host), null);
  let gone = false;
  const closing = new Proxy(host.fs, { get: (fs, name) => name in fs && ((...args) => (gone ? Promise.reject('the page is gone') : fs[name](...args))) });
  const left = runLoop({ ...host, fs: closing, work: task() });
  await seen(left, 'tool-result');
  gone = true;
  const found = await findUnfinishedRun(host);
  assert.deepEqual({ ...found, at: 0 }, { runId: left.id, work: task(), phase: 'plan', iteration: 1, at: 0 });
  const run = runLoop({ ...host, resume: found.runId });
  assert.equal(run.id, left.id);
  assert.equal((await run.result).success, true);
  assert.ok((await collect(run)).some(({ type }) => type === 'run-resumed'));
  assert.equal(await findUnfinishedRun(host), null);
  assert.equal(model.remaining, 0);
  left.abort();
  await assert.rejects(left.result);
});

test('what is not used of the configuration is an event with its place', async () => {
  const { host } = await project({ files: { '.handoff/config.yaml': 'gates:\n  disbled: [scope]\n' }, turns: notes });
  const warnings = (await collect(runLoop({ ...host, work: task() }))).filter(({ type }) => type === 'config-warning');
  assert.deepEqual(
    warnings.map(({ warning: { id, file, line, suggestions } }) => [id, file, line, suggestions[0]]),
    [['unknown-key', '.handoff/config.yaml', 2, 'disabled']],
  );
});

test('the result of a call has the name of its tool', async () => {
  const { host, model } = await project({ turns: notes });
  await runLoop({ ...host, work: task() }).result;
  assert.deepEqual(model.requests.at(-1).messages.filter(({ role }) => role === 'tool').map(({ name }) => name), ['write_file', 'write_file']);
});

test('invalid options throw', async () => {
  const { host } = await project();
  const tool = { name: 'x', description: 'x', parameters: { type: 'object' }, execute: () => 'x' };
  for (const [options, code, words] of [
    [{}, 'invalid-argument', /`work`/],
    [{ work: task('  ') }, 'invalid-argument', /`work.message` is empty/],
    [{ work: task(), fs: undefined }, 'invalid-argument', /`fs` has no method `readFile`/],
    [{ work: task(), dir: 'project' }, 'invalid-argument', /`dir` must be an absolute path/],
    [{ work: task(), model: undefined }, 'invalid-argument', /`model`/],
    [{ work: task(), plan: 'maybe' }, 'invalid-argument', /maybe/],
    [{ work: task(), limits: { maxIterations: 0 } }, 'invalid-argument', /limits.maxIterations is 0/],
    [{ work: task(), limits: { maxIterations: NaN } }, 'invalid-argument', /limits.maxIterations is NaN/],
    [{ work: task(), limits: { maxIteratons: 3 } }, 'invalid-argument', /`maxIteratons`.*`limits/],
    [{ work: task(), registry: { moods: 1 } }, 'invalid-argument', /`registry`/],
    [{ work: task(), models: { x: 1 } }, 'invalid-argument', /`models.x`/],
    [{ work: { ...task(), parsed: {} } }, 'invalid-argument', /`work.parsed`/],
    [{ work: { ...task(), parsed: { ...parsed, requirements: [{ marker: 'NUKE', description: 'all' }] } } }, 'invalid-argument', /`ADD`.*`work.parsed.requirements\[0\].marker`/],
    [{ work: { ...task(), parsed: { ...parsed, requirements: [] } } }, 'invalid-argument', /work.parsed.requirements/],
    [{ work: task(), config: { rules: 'a' } }, 'invalid-config', /`rules`/],
    [{ work: task(), config: { gates: { disabled: [1] } } }, 'invalid-config', /`gates.disabled\[0\]`/],
    [{ work: task(), config: [] }, 'invalid-config', /mapping/],
    [{ work: task(), limits: { stallThreshold: 0 } }, 'invalid-argument', /limits.stallThreshold is 0/],
    [{ work: task(), limits: { maxTokens: 1e300 } }, 'invalid-argument', /limits.maxTokens.*9007199254740991/],
    [{ work: task(), git }, 'invalid-argument', /`isomorphicGit`/],
    [{ work: task(), tools: [{ ...tool, description: '' }] }, 'invalid-argument', /`tools\[0\].description`/],
  ]) {
    assert.throws(() => runLoop({ ...host, ...options }), isLoopgateError(code, words));
  }
});

test('gates are disabled by configuration, and an unknown name is an error', async () => {
  const refuses = { name: 'refuses', description: 'never passes', check: () => ({ pass: false, feedback: 'no' }) };
  const { host } = await project({ turns: notes, gates: [refuses] });
  const config = { gates: { disabled: ['refuses'] } };
  const { success, gates } = await runLoop({ ...host, work: task(), config }).result;
  assert.equal(success, true);
  assert.ok(gates.some(({ gate }) => gate === 'has-summary'));
  assert.ok(!gates.some(({ gate }) => gate === 'refuses'));
  const misspelt = runLoop({ ...(await project()).host, work: task(), config: { gates: { disabled: ['has-sumary'] } } });
  await assert.rejects(misspelt.result, isLoopgateError('invalid-config', /has-summary/));
});

test('`Infinity` means no limit', async () => {
  const { host } = await project({ turns: notes });
  const limits = { maxIterations: Infinity, maxTokens: Number.MAX_SAFE_INTEGER, maxCostUsd: Infinity, maxWallMs: Infinity, modelIdleMs: Infinity };
  assert.equal((await runLoop({ ...host, work: task(), limits }).result).success, true);
});

test('a limit ends the run with its reason', async () => {
  const { host } = await project({ turns: [call('list_files'), 'done', 'done'] });
  const { reason, iterations } = await runLoop({ ...host, work: task(), limits: { maxIterations: 1 } }).result;
  assert.deepEqual([reason, iterations], ['max-iterations', 1]);
});

test("tools and gates of the IDE get a guarded file system until their call ends", async () => {
  const observed = {};
  const tool = {
    name: 'format',
    description: 'formats',
    parameters: { type: 'object', properties: {} },
    writes: true,
    async execute(_, { fs, dir, signal }) {
      observed.fs = fs;
      observed.context = [dir, signal.aborted];
      await fs.mkdir('deep/er', { recursive: true });
      await fs.writeFile('/project/deep/er/file.txt', 'text');
      observed.text = await fs.readFile('deep/er/file.txt', 'utf8');
      observed.stat = [(await fs.stat('deep')).isDirectory(), (await fs.lstat('deep/er/file.txt')).size];
      observed.denied = await fs.writeFile('.git/config', 'x').catch((error) => error.code);
      observed.outside = await fs.readFile('/etc/passwd').catch((error) => error.code);
      observed.missing = await fs.readFile('none').catch((error) => error.code);
      return 'formatted';
    },
  };
  const gate = {
    name: 'no-writes',
    description: 'tries to write',
    async check({ fs, phase }) {
      observed.gate = [phase, await fs.writeFile('x', 'x').catch((error) => error.code), await fs.readdir('/project')];
      return { pass: true };
    },
  };
  const { host, read } = await project({ turns: [call('format'), ...notes], tools: [tool], gates: [gate] });
  const run = runLoop({ ...host, work: task() });
  const events = await collect(run);
  assert.equal((await run.result).success, true);
  assert.equal(read('deep/er/file.txt'), 'text');
  assert.deepEqual(observed.context, ['/project', false]);
  assert.deepEqual([observed.text, observed.stat], ['text', [true, 4]]);
  assert.deepEqual([observed.denied, observed.outside, observed.missing], ['EACCES', 'EACCES', 'ENOENT']);
  assert.deepEqual(observed.gate.slice(0, 2), ['check', 'EACCES']);
  assert.ok(!observed.gate[2].includes('.git') && observed.gate[2].includes('notes.md'));
  const denials = events.filter(({ type }) => type === 'write-denied').map(({ path, rule }) => [path, rule]);
  assert.deepEqual(denials, [['.git/config', 'git'], ['/etc/passwd', 'outside-project']]);
  await assert.rejects(observed.fs.readFile('notes.md'), /has ended/);
  await assert.rejects(observed.fs.writeFile('notes.md', 'late'), { code: 'EACCES' });
});

test("an error thrown by a gate of the IDE is the cause", async () => {
  const thrown = new Error('out of memory');
  const gate = { name: 'licence', description: 'there is a licence', check: () => Promise.reject(thrown) };
  const { host } = await project({ turns: notes, gates: [gate] });
  await assert.rejects(runLoop({ ...host, work: task() }).result, (error) => {
    assert.equal(error.cause, thrown);
    return isLoopgateError('shell', /licence.*out of memory/)(error);
  });
});

test('`Error` objects are accepted as messages of builds and previews', async () => {
  const files = { 'package.json': '{"dependencies":{"react":"19"}}', 'src/App.tsx': 'export default () => <main>Hello</main>;' };
  const error = Object.assign(new SyntaxError('Unexpected token'), { file: 'src/App.tsx', line: 3 });
  const build = () => ({ success: false, errors: [error], warnings: [] });
  const preview = { runtimeErrors: () => [new TypeError('x is undefined')] };
  const { host, read } = await project({ files, turns: [...notes, done], build, preview });
  const run = runLoop({ ...host, work: task(), limits: { maxIterations: 1 }, config: { gates: { only: ['build-succeeds', 'runtime-errors'] } } });
  const { gates } = await run.result;
  assert.match(gates[0].feedback, /src\/App.tsx:3: Unexpected token/);
  assert.match(gates[1].feedback, /x is undefined/);
  assert.match(read('.ralph/build-errors.md'), /Unexpected token/);
});

test('lone surrogates from the host are replaced', async () => {
  const half = '\ud83d';
  const tools = [{ name: 'ask', description: 'asks', parameters: { type: 'object' }, execute: () => ({ ok: true, output: `tool ${half}` }) }];
  const shell = { execute: () => ({ exitCode: 0, stdout: `shell ${half}`, stderr: '' }) };
  const gates = [{ name: 'mine', description: 'mine', check: () => ({ pass: true, feedback: `gate ${half}` }) }];
  const turns = [{ text: half, toolCalls: call('ask').toolCalls }, call('shell', { command: 'ls' }), call('write_file', JSON.stringify({ path: 'notes.md', content: half })), summary, done];
  const { host, read } = await project({ turns, tools, shell, gates });
  const run = runLoop({ ...host, work: task(`Write notes ${half}`) });
  const outputs = (await collect(run)).filter(({ type }) => type === 'tool-result').map(({ output }) => output);
  const { success, gates: reports } = await run.result;
  assert.equal(success, true);
  assert.match(outputs.join(), /tool \ufffd.*shell \ufffd/s);
  assert.equal(read('notes.md'), '\ufffd');
  assert.ok(reports.some(({ feedback }) => feedback === 'gate \ufffd'));
});
