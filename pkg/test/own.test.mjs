// Objects from outside: nothing in them changes `Object.prototype`, and nothing that `Object.prototype` has is read as theirs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { checkGates, explainConfig, findUnfinishedRun, loadConfig, parseTask, runLoop, saveConfig, snapshot, validatePlan } from 'loopgate';
import { call, notes, project, task } from './project.mjs';

// The streams of Node.js read inherited options, and isomorphic-git compresses with them; without them it uses its own code.
delete globalThis.CompressionStream;
delete globalThis.DecompressionStream;

/** Adds properties to `Object.prototype` while `work` runs, as a page's careless code may. */
async function polluted(properties, work) {
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(Object.prototype, name, { value, writable: true, enumerable: true, configurable: true });
  }
  try {
    return await work();
  } finally {
    for (const name of Object.keys(properties)) delete Object.prototype[name];
  }
}

const snippets = new URL('../dist/snippets/', import.meta.url);
const folder = readdirSync(snippets).find((name) => name.startsWith('loopgate-'));

for (const [part, file] of [['package', '../dist/own.js'], ['wasm module', `../dist/snippets/${folder}/src/wasm/page.js`]]) {
  test(`a property is the object's own or its class's, in the ${part}`, async () => {
    const { property } = await import(file);
    class Base {
      get inherited() {
        return this.own;
      }
    }
    class Host extends Base {
      own = 1;
      method() {}
    }
    const host = new Host();
    const proxy = new Proxy(() => {}, { get: (_, name) => name });
    await polluted({ gates: 1, own: 2, method: 3, proxied: 4 }, () => {
      assert.deepEqual(['own', 'inherited', 'gates', 'toString', 'absent'].map((name) => property(host, name)), [1, 1, undefined, undefined, undefined]);
      assert.equal(property(host, 'method'), Host.prototype.method);
      assert.equal(property({ gates: undefined }, 'gates'), undefined);
      assert.equal(property({}, '__proto__'), undefined);
      assert.equal(property(JSON.parse('{"__proto__":7}'), '__proto__'), 7);
      assert.equal(property(Object.assign(Object.create(null), { own: 5 }), 'own'), 5);
      assert.equal(property(Object.create(Object.assign(Object.create(null), { own: 6 })), 'own'), 6);
      assert.equal(property(proxy, 'other'), 'other');
      for (const value of [undefined, null, 1, 'text', true]) assert.equal(property(value, 'gates'), undefined);
    });
  });
}

/** What a project, a page or another library may have left there: data as JSON has it, and functions. */
const POLLUTION = [
  // Options of a run and of the host.
  {
    config: { gates: { only: [] } },
    gates: [],
    globalConfig: 'gates: { only: [] }',
    limits: { maxIterations: 1 },
    resume: 'another-run',
    only: ['a'],
    signal: { aborted: true },
    plan: 'required',
    role: 'reviewer',
    parsed: { title: 'other' },
    path: 'elsewhere',
    force: true,
    git: {},
    model: 'other',
    models: { builder: 7 },
    shell: {},
    build: {},
    preview: {},
    recipes: {},
    registry: {},
    tools: [{}],
    hooks: { beforeTool: 7 },
    locks: {},
    prices: { m: 7 },
    now: 7,
    promises: {},
    runId: 'another-run',
    dir: '/elsewhere',
  },
  // Methods and fields that a port may lack.
  {
    lstat: 7,
    readlink: 7,
    symlink: 7,
    chmod: 7,
    hasLinks: true,
    flush: () => Promise.reject('flushed'),
    currentBranch: () => Promise.reject('asked'),
    isSymbolicLink: () => true,
    mode: 7,
    mtime: 7,
  },
  // Arguments of calls.
  {
    expect: null,
    recursive: false,
    encoding: 'latin1',
    flag: 'a',
    taskNumber: 7,
    tag: 'other',
    iterations: true,
    dryRun: true,
    lenient: true,
    spec: { gates: 7 },
    after: 7,
    pollMs: -1,
  },
  // Fields of answers.
  {
    tool_calls: [{ id: 'x', function: { name: 'complete_task', arguments: '{}' } }],
    providerData: { x: 1 },
    usage: 7,
    error: 'refused',
    decision: 'deny',
    feedback: 'no',
    code: 'ENOENT',
    status: 429,
    retryAfter: 7,
    retryable: true,
    line: 7,
    holder: 7,
    once: false,
    steal: true,
  },
];

/** What a task leaves: its result and its events without what differs between two runs, and the files. */
async function outcome(pollution) {
  const { host, fs } = await project({ turns: notes });
  return polluted(pollution, async () => {
    const run = runLoop({ ...host, work: task() });
    const { success, reason, gates } = await run.result;
    const types = [];
    for await (const { type } of run) types.push(type);
    const [saved] = await snapshot.list(host);
    const status = await snapshot.status(host);
    const checked = await checkGates(host);
    return JSON.stringify({
      ...{ success, reason, types, files: fs.readdirSync('/project').concat(fs.readdirSync('/project/.ralph')) },
      ...{ gates: gates.map(({ gate, verdict }) => [gate, verdict]), checked: checked.map(({ gate, verdict }) => [gate, verdict]) },
      ...{ tag: saved.tag, changes: status.changes?.length, unfinished: await findUnfinishedRun(host) },
      ...{ config: await loadConfig(host), plan: validatePlan('<App />').ok, task: (await parseTask('Fix the title', { planExists: false, srcFileCount: 0, taskNumber: 1 })).title },
    });
  });
}

test('what every object inherits changes nothing in a run', async () => {
  const expected = await outcome({});
  assert.equal(JSON.parse(expected).success, true);
  for (const pollution of POLLUTION) {
    assert.equal(await outcome(pollution).catch(String), expected, `with ${Object.keys(pollution).join(', ')}`);
  }
});

test('a host, its ports and its tools may be instances of classes', async () => {
  const { host, read } = await project({ turns: [call('note', { text: 'mine' }), ...notes] });
  class Files {
    #files = host.fs;
    static {
      for (const name of ['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat', 'lstat']) {
        this.prototype[name] = function (...args) {
          return this.#files[name](...args);
        };
      }
    }
  }
  class Note {
    get name() {
      return 'note';
    }
    get description() {
      return 'writes a note';
    }
    get parameters() {
      return { type: 'object', properties: { text: { type: 'string' } } };
    }
    async execute({ text }, { fs }) {
      await fs.writeFile('note.md', text);
      return { ok: true, output: 'written' };
    }
  }
  class Options extends class {
    get fs() {
      return new Files();
    }
    get tools() {
      return [new Note()];
    }
  } {
    get work() {
      return task();
    }
    dir = host.dir;
    git = host.git;
    model = host.model;
  }
  const { success } = await runLoop(new Options()).result;
  assert.deepEqual([success, read('note.md'), read('notes.md')], [true, 'mine', 'notes']);
});

/** What no data may do: the options would end the next run as done, without a gate. */
const HOSTILE = { config: { gates: { only: [] } }, gates: [], polluted: true };
const KEYS = ['__proto__', 'constructor', 'prototype'];

/** Every object in a copy of a value gets the keys, and so does what they hold. */
function hostile(value) {
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hostile(field)]));
  for (const key of KEYS) Object.defineProperty(copy, key, { value: { ...HOSTILE, prototype: HOSTILE }, enumerable: true, configurable: true });
  return copy;
}

/** The properties of what all objects inherit. */
const inherited = () => [Object, Function, Array, String, Promise].map(({ prototype }) => Reflect.ownKeys(prototype));
const before = inherited();

/** Checks that nothing has changed what all objects inherit. */
function checkUnchanged() {
  assert.deepEqual(inherited(), before);
  assert.equal({}.polluted, undefined);
}

/** A server that answers each request with the next of these, and the address of it. */
async function serve(t, answers) {
  const asked = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    asked.push(JSON.parse(text));
    const { status = 200, chunks, body } = answers.shift();
    response.writeHead(status, { 'content-type': chunks ? 'text/event-stream' : 'application/json' });
    response.end(chunks ? chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { asked, baseUrl: `http://127.0.0.1:${server.address().port}/v1` };
}

const usage = { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 1 } };
const toolCall = { index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}', extra: { at: 1 } }, extra_content: { signature: 's' } };
const message = { content: 'Hi', reasoning_details: [{ index: 0, type: 'reasoning.text', text: 'hm' }], tool_calls: [toolCall] };
const whole = { model: 'm', usage, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
const pieces = [{ choices: [{ delta: message }] }, { choices: [{ delta: { reasoning_details: message.reasoning_details, tool_calls: [{ index: 0, extra_content: { signature: 's' } }] } }] }, { ...whole, choices: [{ delta: {}, finish_reason: 'tool_calls' }] }];

test('keys of every object in an answer are data, streamed and not streamed, there and back', async (t) => {
  for (const answer of [{ chunks: pieces }, { body: whole }]) {
    const { asked, baseUrl } = await serve(t, [answer, hostile(answer), { body: whole }]);
    const model = openAiCompatible({ baseUrl, model: 'm' });
    const ask = (messages = [{ role: 'user', content: 'hi' }]) => model({ role: 'builder', messages, tools: [] }, { signal: new AbortController().signal, onDelta() {} });
    const { providerData: plainData, ...plain } = await ask();
    const { providerData, ...found } = await ask();
    checkUnchanged();
    const calls = found.tool_calls.map(({ providerData: _, ...call }) => call);
    assert.deepEqual({ ...found, tool_calls: calls }, { ...plain, tool_calls: plain.tool_calls.map(({ providerData: _, ...call }) => call) });
    assert.deepEqual(Object.keys(providerData).sort(), [...Object.keys(plainData), ...KEYS].sort());
    await ask([{ role: 'assistant', ...found, providerData }]);
    checkUnchanged();
    const [sent] = asked.at(-1).messages;
    assert.deepEqual(sent.reasoning_details[0].text, answer.chunks ? 'hmhm' : 'hm');
    assert.deepEqual(Object.getOwnPropertyDescriptor(sent, '__proto__').value, { ...HOSTILE, prototype: HOSTILE });
    assert.equal(sent.tool_calls[0].function.extra.at, 1);
  }
});

test('keys of every item in a response are data, streamed and not streamed, there and back', async (t) => {
  const output = [
    { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
    { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
    { type: 'function_call', id: 'f', call_id: 'a', name: 'read_file', arguments: '{}' },
  ];
  const body = { status: 'completed', model: 'm', output, usage: { input_tokens: 1, output_tokens: 1 } };
  const chunks = [...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })), { type: 'response.completed', response: body }];
  for (const answer of [{ chunks }, { body }]) {
    const { asked, baseUrl } = await serve(t, [answer, hostile(answer), { body }]);
    const model = openAiResponses({ baseUrl, model: 'm' });
    const ask = (messages = [{ role: 'user', content: 'hi' }]) => model({ role: 'builder', messages, tools: [] }, { signal: new AbortController().signal, onDelta() {} });
    const { providerData: _, ...plain } = await ask();
    const { providerData, ...found } = await ask();
    checkUnchanged();
    assert.deepEqual(found, plain);
    await ask([{ role: 'assistant', ...found, providerData }]);
    checkUnchanged();
    assert.deepEqual(asked.at(-1).input, hostile(output));
  }
});

test('a finish reason, an error and a refusal with such names are data', async (t) => {
  const { baseUrl } = await serve(t, [
    ...KEYS.map((finish_reason) => ({ body: { choices: [{ message: { content: 'Hi' }, finish_reason }] } })),
    { body: hostile({ error: { message: 'no', code: 500 } }) },
    { status: 400, body: hostile({ error: { message: 'never' } }) },
  ]);
  const model = openAiCompatible({ baseUrl, model: 'm' });
  const ask = () => model({ role: 'builder', messages: [], tools: [] }, { signal: new AbortController().signal, onDelta() {} });
  for (const _ of KEYS) assert.equal((await ask()).finish_reason, 'stop');
  await assert.rejects(ask(), { message: "the model's server failed: no", status: 500 });
  await assert.rejects(ask(), { message: "the model's server answered 400: never", status: 400 });
  checkUnchanged();
});

test('a run whose model, files, plan and configuration have such keys leaves the next run as it was', async () => {
  const args = '{"path":"notes.md","content":"notes","__proto__":{"path":"other.md","polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  const yaml = '__proto__:\n  polluted: true\n  gates: { only: [] }\nconstructor:\n  prototype: { polluted: true }\n';
  const answer = (name) => ({ toolCalls: [{ name, args }], providerData: hostile({ reasoning_details: [{ text: 'hm' }] }) });
  const seen = [];
  const look = { name: 'look', description: 'looks', parameters: { type: 'object' }, execute: async (given) => seen.push(given) && hostile({ ok: true, output: 'seen' }) };
  const hooks = { beforeTool: async (given) => seen.push(given.args) && hostile({ decision: 'allow' }) };
  const { host, read } = await project({ turns: [answer('look'), answer('write_file'), ...notes], files: { '.handoff/config.yaml': yaml, 'README.md': 'hello' }, hooks, tools: [look] });
  const result = await runLoop({ ...host, work: task(), config: hostile({}) }).result;
  checkUnchanged();
  assert.deepEqual([result.success, read('notes.md'), read('other.md')], [true, 'notes', null]);
  assert.ok(result.gates.length > 10);
  for (const given of seen.slice(0, 2)) assert.deepEqual([given.path, given.polluted, Object.keys(given).length], ['notes.md', undefined, 4]);
  const answers = host.model.requests.at(-1).messages.filter(({ role }) => role === 'assistant');
  assert.deepEqual(answers[0].providerData, hostile({ reasoning_details: [{ text: 'hm' }] }));
  assert.match(host.model.requests.at(-1).messages.filter(({ role }) => role === 'tool')[1].content, /unknown field `__proto__`/);

  const config = await loadConfig(host);
  assert.equal(Object.getPrototypeOf(config.values), Object.prototype);
  assert.equal(config.values.gates.only, undefined);
  assert.throws(() => explainConfig(config, 'toString'), { code: 'not-found' });
  await saveConfig(host, hostile({ limits: { maxIterations: 3 } })).catch((error) => assert.equal(error.code, 'invalid-config'));
  checkUnchanged();

  const plan = validatePlan(`export default (
    <App name="A" description="B" __proto__={{ polluted: true }}>
      <Screen name="Home" layout="stack"><Section gumdrop="hero" variant="split" /></Screen>
      <Data><Schema name="constructor" fields={["__proto__", "prototype"]} seed={[{ "__proto__": { polluted: true } }]} /></Data>
    </App>);`);
  assert.ok(plan.root);
  checkUnchanged();

  const next = await project({ turns: notes });
  const { success, gates } = await runLoop({ ...next.host, work: task() }).result;
  assert.deepEqual([success, gates.length], [true, result.gates.length]);
});
