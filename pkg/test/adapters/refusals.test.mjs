// What services refuse: conversations in a form that they do not take, and those that are too long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from 'ai-sdk-anthropic-v4';
import { createOpenAICompatible } from 'ai-sdk-openai-compatible-v4';
import { runLoop } from 'loopgate';
import { aiSdk } from 'loopgate/ai-sdk';
import { anthropic } from 'loopgate/anthropic';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { parsed, project, task } from '../project.mjs';
import { asker, outcome } from './asking.mjs';
import { chat, messages, responses } from './dialects.mjs';
import { others, overflows } from './servers/overflows.mjs';

const apiKey = 'sk-secret-key';
const baseURL = 'http://127.0.0.1:1/v1';
const ADAPTERS = {
  openAiCompatible: [chat, (fetch) => openAiCompatible({ baseUrl: baseURL, apiKey, model: 'm', fetch, stream: false })],
  openAiResponses: [responses, (fetch) => openAiResponses({ baseUrl: baseURL, apiKey, model: 'm', fetch, stream: false })],
  anthropic: [messages, (fetch) => anthropic({ apiKey, model: 'm', fetch })],
  'aiSdk with chat completions': [chat, (fetch) => aiSdk(createOpenAICompatible({ name: 'local', apiKey, baseURL, fetch })('m'), { stream: false })],
  'aiSdk with the Messages API': [messages, (fetch) => aiSdk(createAnthropic({ apiKey, baseURL, fetch })('m'), { stream: false })],
};

const refuse = (status, body) => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' } });
const said = (dialect) => Response.json(dialect.whole({ text: 'Hello.', usage: { input: 1, output: 1 } }));

/** Asks an adapter twice; the service takes what `why` gives no reason against. */
async function ask(adapter, why, request, status = 400) {
  const [dialect, create] = ADAPTERS[adapter];
  const sent = [];
  const notes = [];
  const model = create(async (_, { body }) => {
    sent.push(JSON.parse(body));
    const reason = why(sent.at(-1));
    return reason ? refuse(status, typeof reason === 'string' ? { error: { message: reason } } : reason) : said(dialect);
  });
  const context = { signal: new AbortController().signal, onDelta: (delta) => delta.type === 'note' && notes.push(delta.text) };
  for (const _ of [1, 2]) assert.equal((await model({ role: 'builder', tools: [], ...request }, context)).content, 'Hello.');
  return { sent, notes };
}

const user = { role: 'user', content: 'hi' };
const system = { role: 'system', content: 'Build.' };
const called = { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{}' } }] };
const twice = { ...called, tool_calls: ['call_1', 'call_2'].map((id) => ({ ...called.tool_calls[0], id })) };
const result = { role: 'tool', tool_call_id: 'call_1', name: 'read_file', content: 'text' };
const steered = [system, user, called, result, { role: 'user', content: 'Mention bread.' }];
const CHATS = ['openAiCompatible', 'aiSdk with chat completions'];
const tool = (parameters) => ({ type: 'function', function: { name: 'read_file', description: 'reads', parameters } });

for (const [what, adapters, why, request, check, refusals = 1] of [
  [
    'a message of the user after results of tools',
    CHATS,
    ({ messages }) => messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool') && { object: 'error', message: "Unexpected role 'user' after role 'tool'", type: 'invalid_request_message_order', param: null, code: '3230' },
    { messages: steered },
    ({ messages }) => assert.deepEqual(messages.slice(-3).map(({ role }) => role), ['tool', 'assistant', 'user']),
  ],
  [
    'roles that do not alternate',
    CHATS,
    ({ messages }) => messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool') && 'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
    { messages: steered },
    ({ messages }) => assert.deepEqual(messages.slice(-3).map(({ role }) => role), ['tool', 'assistant', 'user']),
  ],
  [
    'marks for a cache',
    ['anthropic'],
    (body) => JSON.stringify(body).includes('cache_control') && 'system.0.cache_control: Extra inputs are not permitted',
    { messages: [system, user] },
    ({ system: [block] }) => assert.deepEqual(block, { type: 'text', text: 'Build.' }),
  ],
  [
    'the field strict of a tool',
    ['openAiResponses'],
    ({ tools }) => tools.some((tool) => 'strict' in tool) && "Unknown parameter: 'tools[0].strict'.",
    { messages: [user], tools: [tool({ type: 'object' })] },
    ({ tools, store }) => assert.deepEqual([Object.keys(tools[0]), store], [['type', 'name', 'description', 'parameters'], false]),
  ],
  [
    'the field store',
    ['openAiResponses'],
    (body) => 'store' in body && 'Unsupported parameter: store',
    { messages: [user] },
    ({ store }) => assert.equal(store, undefined),
  ],
  [
    'an answer with neither a text nor calls',
    ['openAiCompatible'],
    ({ messages }) => messages.some(({ role, content, tool_calls }) => role === 'assistant' && !content && !tool_calls) && 'Invalid assistant message: content or tool_calls must be set',
    { messages: [user, { role: 'assistant', content: null }, user] },
    ({ messages }) => assert.deepEqual(messages.map(({ role }) => role), ['user', 'assistant', 'user']),
  ],
  [
    'results without a name',
    ['openAiCompatible'],
    ({ messages }) => messages.some(({ role, name }) => role === 'tool' && !name) && [{ error: { code: 400, message: '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.\n', status: 'INVALID_ARGUMENT' } }],
    { messages: [user, called, result] },
    ({ messages }) => assert.equal(messages[2].name, 'read_file'),
  ],
  [
    'results without a name, in the words of a validator',
    ['openAiCompatible'],
    ({ messages }) => messages.some(({ role, name }) => role === 'tool' && !name) && { detail: [{ type: 'missing', loc: ['body', 'messages', 2, 'tool', 'name'], msg: 'Field required' }] },
    { messages: [user, called, result] },
    ({ messages }) => assert.equal(messages[2].name, 'read_file'),
  ],
  [
    'anything but a message of the assistant after results',
    CHATS,
    ({ messages }) => messages.some(({ role }, at) => role !== 'assistant' && role !== 'tool' && messages[at - 1]?.role === 'tool') && { detail: "Expected 'assistant' role after 'tool'" },
    { messages: steered },
    ({ messages }) => assert.deepEqual(messages.slice(-3).map(({ role }) => role), ['tool', 'assistant', 'user']),
  ],
  [
    'results without a name, in the words of a parser',
    ['openAiCompatible'],
    ({ messages }) => messages.some(({ role, name }) => role === 'tool' && !name) && 'Failed to deserialize the JSON body: messages[2]: missing field `name` at line 1 column 400',
    { messages: [user, called, result] },
    ({ messages }) => assert.equal(messages[2].name, 'read_file'),
  ],
  [
    'ids of calls',
    CHATS,
    ({ messages }) => messages.some(({ tool_call_id }) => tool_call_id && !/^[a-zA-Z0-9]{9}$/.test(tool_call_id)) && 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
    { messages: [user, called, result] },
    ({ messages }) => assert.equal(messages[1].tool_calls[0].id, messages[2].tool_call_id),
  ],
  [
    'long ids of calls',
    ['openAiResponses'],
    ({ input }) => input.some(({ call_id }) => call_id?.length > 64) && "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 90 instead.",
    { messages: [user, { ...called, tool_calls: [{ ...called.tool_calls[0], id: 'x'.repeat(90) }] }, { ...result, tool_call_id: 'x'.repeat(90) }] },
    ({ input }) => assert.equal(input[1].call_id, input[2].call_id),
  ],
  [
    'the role system',
    CHATS,
    ({ messages }) => messages[0].role === 'system' && 'Developer instruction is not enabled for models/gemma-3-27b-it',
    { messages: [system, user] },
    ({ messages }) => assert.ok(messages.length === 1 && JSON.stringify(messages[0].content).includes('Build.\\n\\nhi')),
  ],
  [
    'no text beside calls',
    ['openAiCompatible'],
    ({ messages }) => messages.some(({ content }) => content === null) && { detail: [{ type: 'string_type', loc: ['body', 'messages', 1, 'content'], msg: 'Input should be a valid string', input: null }] },
    { messages: [user, called, result] },
    ({ messages }) => assert.equal(messages[1].content, ''),
  ],
  [
    'an empty result',
    CHATS,
    ({ messages }) => messages.some(({ role, content }) => role === 'tool' && content === '') && 'messages[2].content: message content cannot be empty',
    { messages: [user, called, { ...result, content: '' }] },
    ({ messages }) => assert.equal(messages[2].content, '(no output)'),
  ],
  ['the usage of streams', ['openAiCompatible streamed'], ({ stream_options }) => stream_options && 'stream_options: Extra inputs are not permitted', { messages: [user] }, ({ stream }) => assert.equal(stream, true)],
  ['max_tokens', ['openAiCompatible'], (body) => body.max_tokens && "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", { messages: [user], maxOutputTokens: 7 }, (body) => assert.equal(body.max_completion_tokens, 7)],
  [
    'both names of the limit',
    ['openAiCompatible'],
    (body) => (body.max_tokens && "Unsupported parameter: 'max_tokens'") || (body.max_completion_tokens && 'Unknown parameter: max_completion_tokens'),
    { messages: [user], maxOutputTokens: 7 },
    ({ max_tokens, max_completion_tokens }) => assert.deepEqual([max_tokens, max_completion_tokens], [undefined, undefined]),
    2,
  ],
  ['a limit of answers', ['openAiResponses'], (body) => body.max_output_tokens && 'Unsupported parameter: max_output_tokens', { messages: [user], maxOutputTokens: 7 }, (body) => assert.equal(body.max_output_tokens, undefined)],
  [
    'an answer as long as by default',
    ['anthropic'],
    ({ max_tokens }) => max_tokens > 8192 && 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022',
    { messages: [user] },
    ({ max_tokens }) => assert.equal(max_tokens, 8192),
  ],
  [
    'an answer as long as the request allows',
    Object.keys(ADAPTERS),
    (body) => (body.max_tokens ?? body.max_output_tokens) > 16384 && 'max_tokens is too large: 100000. This model supports at most 16,384 completion tokens, whereas you provided 100000.',
    { messages: [user], maxOutputTokens: 100_000 },
    (body) => assert.equal(body.max_tokens ?? body.max_output_tokens, 16384),
  ],
  [
    'several calls in one message',
    CHATS,
    ({ messages }) => messages.some(({ tool_calls }) => tool_calls?.length > 1) && { object: 'error', message: 'This model only supports single tool-calls at once!', type: 'BadRequestError', code: 400 },
    { messages: [user, twice, result, { ...result, tool_call_id: 'call_2', content: 'more' }] },
    ({ messages }) => assert.deepEqual(messages.slice(1).map(({ tool_calls, tool_call_id }) => tool_call_id ?? tool_calls.map(({ id }) => id)), [['call_1'], 'call_1', ['call_2'], 'call_2']),
  ],
  [
    'the format of structured answers',
    ['openAiCompatible', 'openAiResponses', 'anthropic'],
    ({ response_format, text, output_config }) => (response_format ?? text?.format ?? output_config?.format) && 'This response_format type is unavailable now: json_schema is not supported',
    { messages: [system, user], responseFormat: { type: 'json_schema', name: 'task', schema: { type: 'object', title: 'T' } } },
    (body) => assert.match(JSON.stringify(body.messages ?? body.input) + JSON.stringify(body.system), /JSON Schema: \{.{0,4}type.{0,4}:/),
  ],
  [
    'a word of the schemas of tools',
    ['openAiCompatible', 'openAiResponses', 'anthropic', ...CHATS.slice(1)],
    ({ tools }) => JSON.stringify(tools).includes('additionalProperties') && `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
    { messages: [user], tools: [tool({ type: 'object', properties: { format: { type: 'string' } }, additionalProperties: false })] },
    ({ tools }) => assert.ok(JSON.stringify(tools).includes('"format":{"type":"string"}')),
  ],
]) {
  for (const adapter of adapters) {
    test(`${adapter}: a service that refuses ${what} is asked again, and never again so`, async () => {
      ADAPTERS['openAiCompatible streamed'] ??= [chat, (fetch) => openAiCompatible({ baseUrl: baseURL, apiKey, model: 'm', fetch })];
      const { sent, notes } = await ask(adapter, why, request);
      assert.equal(sent.length, 2 + refusals, JSON.stringify(notes));
      assert.equal(notes.length, refusals);
      for (const note of notes) assert.match(note, /^the model's server refused a request \([^]+\); from now on, /);
      for (const body of sent.slice(refusals)) check(body);
    });
  }
}

test('a refusal that nothing can be changed for is passed on at once', async () => {
  for (const [adapter, [, create]] of Object.entries(ADAPTERS)) {
    for (const reason of ['Incorrect API key provided', 'this model does not support tools', 'temperature must be below 2', 'The messages are not allowed by our content policy']) {
      let count = 0;
      const fetch = async () => (count += 1) && refuse(400, { error: { message: reason } });
      const { error } = await outcome(asker(create(fetch)).ask({ messages: [{ role: 'user', content: 'hi' }] }));
      assert.deepEqual([error?.status, count], [400, 1], `${adapter}: ${reason}`);
    }
  }
});

test('the role of results that a service does not know is not taken for the role of the instructions', async () => {
  for (const adapter of CHATS) {
    let count = 0;
    const message = "Invalid role: 'tool'. Must be one of: system, user, assistant";
    const fetch = async () => (count += 1) && refuse(400, { error: { message } });
    const { error, notes } = await outcome(asker(ADAPTERS[adapter][1](fetch)).ask({ messages: [system, user, called, result] }));
    assert.deepEqual([count, error?.message.includes(message), notes ?? []], [1, true, []], adapter);
  }
});

for (const [status, body] of overflows) {
  test(`a conversation that is too long is recognised: ${status} ${JSON.stringify(body).slice(0, 120)}`, async () => {
    for (const [adapter, [, create]] of Object.entries(ADAPTERS)) {
      const { error } = await outcome(asker(create(async () => refuse(status, body))).ask());
      assert.match(error.message, /context_length_exceeded/, adapter);
      assert.notEqual(error.status, 429);
    }
  });
}

for (const [status, body] of others) {
  test(`another refusal is not taken for one of the length: ${status} ${JSON.stringify(body).slice(0, 120)}`, async () => {
    for (const [adapter, [, create]] of Object.entries(ADAPTERS)) {
      const { error } = await outcome(asker(create(async () => refuse(status, body))).ask());
      assert.doesNotMatch(error.message, /context_length/, adapter);
    }
  });
}

/** A server of a task: it refuses what `why` says, and otherwise plays the turns. */
function server(turns, why) {
  let turn = 0;
  return async (_, { body }) => {
    const request = JSON.parse(body);
    const reason = why(request, body);
    if (reason) return refuse(...reason);
    const [name, args] = turns[Math.min(turn++, turns.length - 1)];
    return Response.json(chat.whole({ calls: [{ id: `call_${turn}`, name, args: JSON.stringify(args) }], usage: { input: 10, output: 1 } }));
  };
}

const TURNS = [
  ['list_files', {}],
  ['write_file', { path: 'notes.md', content: 'Buy milk.\n' }],
  ['write_file', { path: '.ralph/summary.md', content: 'The notes that were asked for are written.' }],
  ['complete_task', {}],
];

test('a run goes on where the server takes no message of the user after results, and the message reaches the model', async () => {
  const bodies = [];
  const fetch = server(TURNS, ({ messages }, body) => {
    bodies.push(body);
    const isWrong = messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool');
    return isWrong && [400, { object: 'error', message: "Unexpected role 'user' after role 'tool'", type: 'invalid_request_message_order', code: '3230' }];
  });
  const { host, read } = await project({ model: openAiCompatible({ baseUrl: baseURL, apiKey, model: 'm', fetch, stream: false }) });
  const run = runLoop({ ...host, work: { ...task(), parsed } });
  const notes = [];
  for await (const event of run) {
    if (event.type === 'tool-result' && !bodies.some((body) => body.includes('mention bread'))) run.steer('Please mention bread as well');
    if (event.type === 'status') notes.push(event.text);
  }
  const result = await run.result;
  assert.equal(result.reason, 'done', result.message);
  assert.equal(read('notes.md'), 'Buy milk.\n');
  assert.ok(bodies.at(-1).includes('Please mention bread as well'));
  assert.equal(notes.filter((text) => text.includes('from now on, a message of the assistant')).length, 1);
});

test('a run goes on where the server wants the names of results', async () => {
  const fetch = server(TURNS, ({ messages }) => messages.some(({ role, name }) => role === 'tool' && !name) && [400, { error: { message: 'function_response.name: Name cannot be empty', status: 'INVALID_ARGUMENT' } }]);
  const { host } = await project({ model: openAiCompatible({ baseUrl: baseURL, apiKey, model: 'm', fetch, stream: false }) });
  assert.equal((await runLoop({ ...host, work: { ...task(), parsed } }).result).reason, 'done');
});

test('a run whose conversation is too long is shortened until the server takes it', async () => {
  const text = 'A line of the notes.\n'.repeat(1_500);
  const reads = [1, 2, 3, 4].map((n) => ['read_file', { path: `n${n}.md` }]);
  for (const [status, body] of [overflows[0], overflows[4], overflows[5], [413, '']]) {
    const fetch = server([...reads, ...TURNS], (_, sent) => sent.length > 60_000 && [status, body]);
    const files = Object.fromEntries([1, 2, 3, 4].map((n) => [`n${n}.md`, `${n} ${text}`]));
    const { host } = await project({ files, model: openAiCompatible({ baseUrl: baseURL, apiKey, model: 'm', fetch, stream: false }) });
    const run = runLoop({ ...host, work: { ...task(), parsed } });
    let shortened = 0;
    for await (const event of run) shortened += event.type === 'context-shortened' ? 1 : 0;
    const result = await run.result;
    assert.equal(result.reason, 'done', result.message);
    assert.ok(shortened > 0);
  }
});

test('a refusal with the status 200 is learned from as one with its own status', async () => {
  const sent = [];
  const { ask: complete } = asker(openAiCompatible({ baseUrl: baseURL, model: 'm', stream: false, fetch: async (_, { body }) => {
    sent.push(JSON.parse(body).messages);
    const isRefused = sent.at(-1).some(({ role }, at) => role === 'user' && sent.at(-1)[at - 1]?.role === 'tool');
    return isRefused ? Response.json({ error: { message: 'Provider returned error', code: 400, metadata: { raw: "Unexpected role 'user' after role 'tool'" } } }) : said(chat);
  } }));
  assert.equal((await complete({ messages: steered })).content, 'Hello.');
  assert.equal(sent.length, 2);
});

test('the words of the conversation in a refusal are not taken for the words of the server', async () => {
  const echo = { detail: [{ type: 'missing', loc: ['body', 'messages', 2, 'tool', 'name'], msg: 'Field required', input: { content: 'stream the text' } }] };
  const { notes } = await ask('openAiCompatible', ({ messages }) => messages.some(({ role, name }) => role === 'tool' && !name) && echo, { messages: [user, called, result] }, 422);
  assert.equal(notes.length, 1);
  assert.match(notes[0], /results have the names of their tools/);
});

test('an answer that the server refuses because it cannot read a call in it is an answer', async () => {
  for (const [written, expected] of [['<function=read_file>{}</function>', ['<function=read_file>{}</function>', 'stop']], [undefined, [null, 'error']]]) {
    const error = { message: 'Failed to call a function.', type: 'invalid_request_error', code: 'tool_use_failed', failed_generation: written };
    for (const status of [400, 200]) {
      const { ask: complete } = asker(openAiCompatible({ baseUrl: baseURL, model: 'm', fetch: async () => Response.json({ error }, { status }) }));
      const { content, finish_reason, tool_calls } = await complete({ messages: [user] });
      assert.deepEqual([content, finish_reason, tool_calls], [...expected, undefined]);
    }
  }
});
