import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { anthropic } from 'loopgate/anthropic';
import { serve as serveWith } from './adapters/server.mjs';

const tool = { type: 'function', function: { name: 'read_file', description: 'reads', parameters: { type: 'object', properties: { path: { type: 'string' } } } } };
const request = { role: 'builder', messages: [{ role: 'system', content: 'Build.' }, { role: 'user', content: 'hi' }], tools: [tool] };

/** Starts a server for one test; returns a model for it and the requests it got. */
async function serve(t, handle, options = {}) {
  const { address, asked } = await serveWith(t, handle);
  const [deltas, active] = [[], []];
  const model = anthropic({ baseUrl: `${address}`, apiKey: 'sk-ant-secret', model: 'claude', ...options });
  const ask = (more = {}, signal = new AbortController().signal) =>
    model({ ...request, ...more }, { signal, onDelta: (delta) => (delta.type === 'activity' ? active.push(delta) : deltas.push(delta)) });
  return { ask, asked, deltas, active };
}

/** Events, each with its name, as the service sends them. */
const events = (list) => list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
function stream(response, list, { headers = {}, end = true } = {}) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...headers });
  response.write(events(list));
  if (end) response.end();
}
const json = (response, status, body, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const start = (usage = { input_tokens: 1, output_tokens: 1 }) => ({ type: 'message_start', message: { id: 'msg', role: 'assistant', model: 'claude-2026', content: [], stop_reason: null, usage } });
const open = (index, content_block) => ({ type: 'content_block_start', index, content_block });
const piece = (index, delta) => ({ type: 'content_block_delta', index, delta });
const close = (index) => ({ type: 'content_block_stop', index });
const end = (stop_reason, usage = { output_tokens: 2 }) => [{ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }, { type: 'message_stop' }];
const says = (index, ...texts) => [open(index, { type: 'text', text: '' }), ...texts.map((text) => piece(index, { type: 'text_delta', text })), close(index)];
const thinks = (index, text, signature) => [
  open(index, { type: 'thinking', thinking: '', signature: '' }),
  piece(index, { type: 'thinking_delta', thinking: text }),
  piece(index, { type: 'signature_delta', signature }),
  close(index),
];
const calls = (index, id, ...pieces) => [
  open(index, { type: 'tool_use', id, name: 'read_file', input: {} }),
  ...pieces.map((partial_json) => piece(index, { type: 'input_json_delta', partial_json })),
  close(index),
];
const done = [start(), ...says(0, 'done'), ...end('end_turn')];

test('a streamed answer is assembled, with all tokens of the input counted', async (t) => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 40, cache_creation_input_tokens: 500, output_tokens: 1 };
  const last = { input_tokens: 3, output_tokens: 9, cache_read_input_tokens: null, output_tokens_details: { thinking_tokens: 4 } };
  const { ask, asked, deltas } = await serve(t, (_, response) => stream(response, [start(usage), { type: 'ping' }, ...says(0, 'Hé', 'llo'), ...end('end_turn', last)]));
  assert.deepEqual(await ask({ maxOutputTokens: 7 }), {
    content: 'Héllo',
    finish_reason: 'stop',
    usage: { inputTokens: 543, outputTokens: 9, cachedInputTokens: 40, cacheWriteTokens: 500, reasoningTokens: 4 },
    model: 'claude-2026',
  });
  assert.deepEqual(deltas, [{ type: 'text', text: 'Hé' }, { type: 'text', text: 'llo' }]);
  const [{ url, headers, body }] = asked;
  assert.equal(url, '/v1/messages');
  assert.deepEqual([headers['x-api-key'], headers['anthropic-version'], headers['anthropic-dangerous-direct-browser-access']], ['sk-ant-secret', '2023-06-01', 'true']);
  assert.deepEqual(body, {
    model: 'claude',
    max_tokens: 7,
    stream: true,
    system: [{ type: 'text', text: 'Build.', cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'read_file', description: 'reads', input_schema: tool.function.parameters }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  });
});

test('the address may end with its last parts, and a header replaces one of the adapter', async () => {
  const asked = [];
  const fetch = async (url, { headers }) => {
    asked.push([url, headers['anthropic-version'], headers['x-api-key']]);
    return Response.json({ content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn' });
  };
  for (const baseUrl of [undefined, 'https://api.anthropic.com/', 'https://api.anthropic.com/v1', 'https://api.anthropic.com/v1/messages']) {
    await anthropic({ baseUrl, model: 'm', fetch })(request, { signal: new AbortController().signal, onDelta() {} });
  }
  await anthropic({ baseUrl: 'http://a/claude', model: 'm', fetch, headers: { 'Anthropic-Version': '2026-10-21' } })(request, { signal: new AbortController().signal, onDelta() {} });
  assert.deepEqual(asked, [...Array(4).fill(['https://api.anthropic.com/v1/messages', '2023-06-01', undefined]), ['http://a/claude/v1/messages', '2026-10-21', undefined]]);
});

test('an option of the wrong kind is refused at once, an invalid address at the first call', async () => {
  for (const [options, words] of [[undefined, /`options` must be an object/], [{}, /`model` must be a string/], [{ model: 'm', baseUrl: 7 }, /`baseUrl` must be a string/]]) {
    assert.throws(() => anthropic(options), (error) => error.code === 'invalid-argument' && words.test(error.message));
  }
  const model = anthropic({ model: 'm', baseUrl: 'not an address', fetch: () => assert.fail('it asked') });
  await assert.rejects(model(request, { signal: new AbortController().signal, onDelta() {} }), (error) => error.code === 'invalid-argument');
});

test('streamed calls are assembled, and their arguments are deltas', async (t) => {
  const { ask, deltas } = await serve(t, (_, response) => stream(response, [start(), ...calls(0, 'a', '', '{"path":', '"x"}'), ...calls(1, 'b'), ...end('tool_use')]));
  const { content, tool_calls, finish_reason, providerData } = await ask();
  assert.deepEqual([content, finish_reason, providerData], [null, 'tool_calls', undefined]);
  assert.deepEqual(tool_calls, [
    { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"x"}' } },
    { id: 'b', type: 'function', function: { name: 'read_file', arguments: '{}' } },
  ]);
  const shown = deltas.map(({ type, id, name, text }) => [type, id, name, text]);
  assert.deepEqual(shown, [['tool', 'a', 'read_file', ''], ['tool', 'a', 'read_file', ''], ['tool', 'a', 'read_file', '{"path":'], ['tool', 'a', 'read_file', '"x"}'], ['tool', 'b', 'read_file', '']]);
});

/** The assistant message that the harness makes of an answer. */
const message = ({ content, tool_calls, providerData }) => JSON.parse(JSON.stringify({ role: 'assistant', content, tool_calls, providerData }));
const result = (id, content) => ({ role: 'tool', tool_call_id: id, name: 'read_file', content });

test('thoughts go back verbatim, in their places', async (t) => {
  const turn = [
    start(), ...thinks(0, 'hm', 'sig1'), open(1, { type: 'redacted_thinking', data: 'enc' }), close(1), ...says(2, 'First. '), ...thinks(3, '', 'sig2'), ...says(4, 'Then.'),
    open(5, { type: 'tool_use', id: 'a', name: 'read_file', input: {}, caller: { type: 'direct' } }), piece(5, { type: 'input_json_delta', partial_json: '{"path":"x"}' }), close(5), ...end('tool_use'),
  ];
  const { ask, asked, deltas } = await serve(t, (_, response, at) => stream(response, at === 0 ? turn : done), { thinking: { type: 'adaptive' } });
  const answer = await ask();
  assert.equal(answer.content, 'First. Then.');
  assert.deepEqual(deltas.filter(({ type }) => type === 'reasoning')[0], { type: 'reasoning', text: 'hm' });
  await ask({ messages: [...request.messages, message(answer), result('a', 'text')] });
  assert.deepEqual(asked[1].body.messages[1].content, [
    { type: 'thinking', thinking: 'hm', signature: 'sig1' },
    { type: 'redacted_thinking', data: 'enc' },
    { type: 'text', text: 'First. ' },
    { type: 'thinking', thinking: '', signature: 'sig2' },
    { type: 'text', text: 'Then.' },
    { caller: { type: 'direct' }, type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'x' } },
  ]);
  assert.deepEqual(asked[1].body.thinking, { type: 'adaptive' });
});

test('results of calls that follow each other are one message; texts without words are left out', async (t) => {
  const { ask, asked } = await serve(t, (_, response) => stream(response, done));
  const call = (id, words) => ({ id, type: 'function', function: { name: 'read_file', arguments: words } });
  await ask({
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: ' ', tool_calls: [call('a', '{"path":"x"}'), call('b', 'not JSON')] },
      result('a', 'text'),
      result('b', ''),
      { role: 'assistant', content: '' },
      { role: 'user', content: 'go on' },
    ],
  });
  const [{ body }] = asked;
  assert.equal(body.system, undefined);
  assert.deepEqual(body.tools[0].cache_control, { type: 'ephemeral' }, 'without instructions, the mark is after the tools');
  assert.deepEqual(body.messages, [
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'x' } }, { type: 'tool_use', id: 'b', name: 'read_file', input: { unreadable: 'not JSON' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'text' }, { type: 'tool_result', tool_use_id: 'b' }, { type: 'text', text: 'go on' }] },
  ]);
});

test('with a thinking budget, a turn that lost its thoughts goes on without thinking', async (t) => {
  const { ask, asked } = await serve(t, (_, response) => stream(response, done), { thinking: { type: 'enabled', budget_tokens: 2000 } });
  const call = { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' } };
  const thought = { parts: [{ data: { type: 'thinking', thinking: 'hm', signature: 's' } }, { call: 0 }] };
  const turn = (providerData) => [...request.messages, { role: 'assistant', content: null, tool_calls: [call], providerData }, result('a', 'text')];
  for (const messages of [turn(thought), turn(undefined), [...turn(undefined), { role: 'user', content: 'next' }]]) await ask({ messages, maxOutputTokens: 100 });
  assert.deepEqual(asked.map(({ body }) => body.thinking?.type), ['enabled', undefined, 'enabled']);
  assert.deepEqual(asked.map(({ body }) => body.max_tokens), [2100, 2100, 2100], 'thoughts are not part of the limit');
});

test('the limit of an answer has room for thoughts', async (t) => {
  for (const [thinking, maxTokens, maxOutputTokens, expected] of [
    [undefined, undefined, undefined, 32_000],
    [undefined, 500, undefined, 500],
    [undefined, 500, 100, 100],
    [{ type: 'adaptive' }, undefined, 100, 8_100],
    [{ type: 'enabled', budget_tokens: 2000 }, undefined, undefined, 34_000],
    [{ type: 'disabled' }, undefined, 100, 100],
  ]) {
    const { ask, asked } = await serve(t, (_, response) => stream(response, done), { thinking, maxTokens });
    await ask({ maxOutputTokens });
    assert.equal(asked[0].body.max_tokens, expected);
  }
});

test('a paused turn goes on, as one answer', async (t) => {
  const search = [open(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }), piece(1, { type: 'input_json_delta', partial_json: '{"query":"x"}' }), close(1)];
  const found = open(0, { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'u' }] });
  const cited = piece(1, { type: 'citations_delta', citation: { url: 'u' } });
  const responses = [
    [start({ input_tokens: 10, output_tokens: 1 }), ...says(0, 'I search. '), ...search, ...end('pause_turn', { output_tokens: 5 })],
    [start({ input_tokens: 20, output_tokens: 1 }), found, close(0), ...says(1, 'Found').toSpliced(2, 0, cited), ...end('end_turn', { output_tokens: 7 })],
    done,
  ];
  const { ask, asked, deltas } = await serve(t, (_, response, at) => stream(response, responses[at]), { body: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] } });
  const answer = await ask();
  assert.deepEqual([answer.content, answer.finish_reason, answer.tool_calls], ['I search. Found', 'stop', undefined]);
  assert.deepEqual(answer.usage, { inputTokens: 30, outputTokens: 12 });
  assert.ok(deltas.every(({ type }) => type === 'text'), 'calls of the service are not shown');
  assert.deepEqual(asked[0].body.tools.map(({ name }) => name), ['web_search', 'read_file']);
  const whole = [{ type: 'text', text: 'I search. ' }, { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } }];
  assert.deepEqual(asked[1].body.messages.at(-1), { role: 'assistant', content: whole });
  await ask({ messages: [...request.messages, message(answer), { role: 'user', content: 'thanks' }] });
  const rest = [{ type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'u' }] }, { citations: [{ url: 'u' }], type: 'text', text: 'Found' }];
  assert.deepEqual(asked[2].body.messages[1].content, [...whole, ...rest]);
});

test('a paused turn whose other response breaks off is incomplete', async (t) => {
  const { ask, asked } = await serve(t, (_, response, at) => stream(response, at === 0 ? [start(), ...says(0, 'I search. '), ...end('pause_turn')] : []));
  const { content, finish_reason } = await ask();
  assert.deepEqual([content, finish_reason, asked.length], ['I search. ', 'error', 2]);
});

test('reasons to stop are mapped', async (t) => {
  for (const [theirs, ours] of [['stop_sequence', 'stop'], ['max_tokens', 'length'], ['model_context_window_exceeded', 'length'], ['refusal', 'content_filter'], ['error', 'error'], ['new_reason', 'stop']]) {
    const { ask } = await serve(t, (_, response) => stream(response, [start(), ...says(0, 'x'), ...end(theirs)]));
    assert.equal((await ask()).finish_reason, ours);
  }
});

test('a structured answer has the format of the service, also beside other settings of the output', async (t) => {
  const responseFormat = { type: 'json_schema', name: 'task', schema: { type: 'object' } };
  const { ask, asked } = await serve(t, (_, response) => stream(response, done), { body: { output_config: { effort: 'low' } } });
  await ask({ responseFormat, tools: [] });
  assert.deepEqual(asked[0].body.output_config, { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } });
  assert.equal(asked[0].body.tools, undefined);
});

test('for a model without structured answers, the schema is a part of the instructions', async (t) => {
  const responseFormat = { type: 'json_schema', name: 'task', schema: { type: 'object', title: 'T' } };
  const { ask, asked } = await serve(t, ({ output_config }, response) =>
    output_config ? json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: "'claude' does not support output format." } }) : stream(response, done),
  );
  for (let times = 0; times < 2; times++) assert.equal((await ask({ responseFormat })).content, 'done');
  assert.deepEqual(asked.map(({ body }) => body.output_config !== undefined), [true, false, false]);
  assert.match(asked[2].body.system.at(-1).text, /JSON Schema: \{"type":"object","title":"T"\}/);
});

test('the schema of a tool is an object without alternatives at the top', async (t) => {
  const { ask, asked } = await serve(t, (_, response) => stream(response, done));
  const parameters = [undefined, { anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }], properties: { c: {} }, required: ['c'] }];
  await ask({ tools: parameters.map((parameters) => ({ type: 'function', function: { name: 'f', description: '', parameters } })) });
  assert.deepEqual(asked[0].body.tools, [
    { name: 'f', input_schema: { type: 'object' } },
    { name: 'f', input_schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' }, c: {} }, required: ['c'] } },
  ]);
});

test('a refused call rejects with the reason, the status, the delay and the id of the request', async (t) => {
  const body = (type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_body' });
  for (const [status, answer, headers, expected, words] of [
    [429, body('rate_limit_error', 'slow down'), { 'retry-after': '3', 'request-id': 'req_1' }, [429, 3], /answered 429: slow down \(request req_1\)/],
    [529, body('overloaded_error', 'Overloaded'), {}, [529, undefined], /answered 529: Overloaded \(request req_body\)/],
    [401, body('authentication_error', 'bad key sk-ant-secret'), {}, [401, undefined], /answered 401: bad key \[redacted\]/],
    [400, body('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'), {}, [400, undefined], /prompt is too long/],
  ]) {
    const { ask } = await serve(t, (_, response) => json(response, status, answer, headers));
    await assert.rejects(ask(), (error) => {
      assert.match(error.message, words);
      assert.deepEqual([error.status, error.retryAfter], expected);
      return true;
    });
  }
});

test('an error within a stream rejects like its HTTP counterpart', async (t) => {
  const retried = (status) => status === 429 || status >= 500;
  for (const [type, expected] of [['overloaded_error', true], ['rate_limit_error', true], ['api_error', true], ['timeout_error', true], [undefined, true], ['invalid_request_error', false], ['authentication_error', false]]) {
    const { ask } = await serve(t, (_, response) =>
      stream(response, [start(), ...says(0, 'half'), { type: 'error', error: { type, message: 'Sorry sk-ant-secret' } }], { headers: { 'request-id': 'req_2' } }),
    );
    await assert.rejects(ask(), (error) => {
      assert.match(error.message, /failed: Sorry \[redacted\].*\(request req_2\)/);
      assert.equal(retried(error.status), expected, type);
      return true;
    });
  }
});

test('a stream that breaks off has the finish reason error, and no half call', async (t) => {
  const half = [start(), ...thinks(0, 'hm', 's'), ...says(1, 'half'), ...calls(2, 'a', '{"path":').slice(0, -1)];
  for (const how of ['end', 'piece', 'destroy']) {
    const { ask } = await serve(t, (_, response) => {
      stream(response, half, { end: false });
      if (how === 'piece') response.write('event: content_block_delta\ndata: {"type":"conte');
      if (how === 'destroy') setImmediate(() => response.destroy());
      else response.end();
    });
    const { content, finish_reason, tool_calls, providerData } = await ask();
    assert.deepEqual([content, finish_reason, tool_calls, providerData], ['half', 'error', undefined, undefined], how);
  }
});

test('a finished answer does not wait for the end of the connection, and is not cancelled', async (t) => {
  let closed = false;
  let finish;
  const { ask } = await serve(t, (_, response) => {
    stream(response, done, { end: false });
    response.on('close', () => (closed = !response.writableFinished));
    finish = () => once(response.end(), 'close');
  });
  assert.equal((await ask()).content, 'done');
  await finish();
  assert.equal(closed, false);
});

test('every part of an answer is a sign of activity, also of one that is not streamed', async (t) => {
  const whole = { type: 'message', model: 'c', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, { type: 'text', text: 'hi' }, { type: 'tool_use', id: 'a', name: 'f', input: { b: 1 } }], stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 2 } };
  for (const [type, text] of [['text/event-stream', ': comment\n\n' + events([start(), { type: 'ping' }, ...says(0, 'hi'), ...end('end_turn')])], ['application/json', JSON.stringify(whole)]]) {
    const parts = text.match(/[^]{1,60}/g);
    const { ask, active, deltas } = await serve(t, async (_, response) => {
      response.writeHead(200, { 'content-type': type });
      for (const [at, part] of parts.entries()) {
        response.write(part);
        while (active.length <= at) await new Promise(setImmediate);
      }
      response.end();
    });
    const answer = await ask();
    assert.equal(answer.content, 'hi');
    assert.ok(active.length >= parts.length, type);
    if (type !== 'application/json') continue;
    assert.equal(answer.tool_calls[0].function.arguments, '{"b":1}');
    assert.deepEqual(deltas, [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'hi' }, { type: 'tool', id: 'a', name: 'f', text: '{"b":1}' }]);
  }
});

test('an abort ends the call at any point', async (t) => {
  const controller = new AbortController();
  const { ask } = await serve(t, (_, response) => {
    stream(response, [start(), ...says(0, 'a')], { end: false });
    setImmediate(() => controller.abort());
  });
  await assert.rejects(ask({}, controller.signal), { name: 'AbortError' });
  await assert.rejects(ask({}, AbortSignal.abort()), { name: 'AbortError' });
});
