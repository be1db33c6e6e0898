import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiCompatible } from 'loopgate/openai';
import { serve as serveWith } from './adapters/server.mjs';

const request = {
  role: 'builder',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [{ type: 'function', function: { name: 'read_file', description: 'reads', parameters: { type: 'object' } } }],
};

/** Starts a server for one test; returns a model for it and the requests it got. */
async function serve(t, handle, options = {}) {
  const { address, asked } = await serveWith(t, handle);
  const baseUrl = `${address}/v1/`;
  const deltas = [];
  const model = openAiCompatible({ baseUrl, apiKey: 'secret', model: 'm', ...options });
  const ask = (more = {}, signal = new AbortController().signal) =>
    model({ ...request, ...more }, { signal, onDelta: (delta) => delta.type === 'activity' || deltas.push(delta) });
  return { ask, asked, deltas };
}

function stream(response, chunks, end = 'data: [DONE]\n\n') {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const chunk of chunks) response.write(typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`);
  if (end !== null) response.end(end);
}

const delta = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const json = (response, status, body, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

test('a streamed answer is assembled', async (t) => {
  const { ask, asked, deltas } = await serve(t, (_, response) =>
    stream(response, [
      ': a comment\n\n',
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'hm' }),
      { ...delta({ content: 'Hé' }), model: 'm-2026-08-07' },
      delta({ content: 'llo' }),
      delta({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 }, completion_tokens_details: { reasoning_tokens: 1 }, cost: 0.5 } },
    ]),
  );
  assert.deepEqual(await ask({ maxOutputTokens: 7 }), {
    content: 'Héllo',
    finish_reason: 'stop',
    usage: { inputTokens: 3, outputTokens: 2, cachedInputTokens: 1, reasoningTokens: 1, costUsd: 0.5 },
    model: 'm-2026-08-07',
    providerData: { reasoning_content: 'hm' },
  });
  assert.deepEqual(deltas, [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'Hé' }, { type: 'text', text: 'llo' }]);
  const [{ url, headers, body }] = asked;
  assert.equal(url, '/v1/chat/completions');
  assert.equal(headers.authorization, 'Bearer secret');
  assert.deepEqual(body, { model: 'm', messages: request.messages, tools: request.tools, max_tokens: 7, stream: true, stream_options: { include_usage: true } });
});

test('the address may have a query and end with /chat/completions', async () => {
  const asked = [];
  const fetch = async (url) => asked.push(url) && Response.json({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] });
  for (const baseUrl of ['http://a/v1', ' http://a/v1/ ', 'http://a/v1/chat/completions', 'http://a/v1/chat/completions/', 'http://a/v1?version=2']) {
    await openAiCompatible({ baseUrl, model: 'm', fetch })(request, { signal: new AbortController().signal, onDelta() {} });
  }
  assert.deepEqual(asked, [...Array(4).fill('http://a/v1/chat/completions'), 'http://a/v1/chat/completions?version=2']);
});

test('a missing address is refused at once, an invalid one at the first call', async () => {
  for (const [options, words] of [[undefined, /`options` must be an object/], [{}, /`baseUrl` must be a string, not undefined/]]) {
    assert.throws(() => openAiCompatible(options), (error) => error.code === 'invalid-argument' && words.test(error.message));
  }
  for (const [baseUrl, words] of [['', /`baseUrl` is ""/], ['not an address', /`baseUrl` is "not an address"/], ['localhost:11434/v1', /`baseUrl` is "localhost:11434\/v1": use an address such as http:/]]) {
    const model = openAiCompatible({ baseUrl, model: 'm', fetch: () => assert.fail('it asked') });
    await assert.rejects(model(request, { signal: new AbortController().signal, onDelta() {} }), (error) => error.code === 'invalid-argument' && words.test(error.message));
  }
});

test('streamed tool calls are assembled', async (t) => {
  const piece = (index, id, name, args) => ({ index, ...(id && { id, type: 'function' }), function: { ...(name && { name }), arguments: args } });
  const { ask, deltas } = await serve(t, (_, response) =>
    stream(response, [
      delta({ content: null, tool_calls: [piece(0, 'a', 'read_file', '')] }),
      delta({ tool_calls: [piece(0, null, null, '{"path":')] }),
      delta({ tool_calls: [piece(1, 'b', 'list_files', '{}')] }),
      delta({ tool_calls: [piece(0, null, null, '"x"}')] }),
      delta({}, 'tool_calls'),
    ]),
  );
  const { content, tool_calls, finish_reason } = await ask();
  assert.deepEqual([content, finish_reason], [null, 'tool_calls']);
  assert.deepEqual(
    tool_calls.map(({ id, function: f }) => [id, f.name, f.arguments]),
    [['a', 'read_file', '{"path":"x"}'], ['b', 'list_files', '{}']],
  );
  assert.deepEqual(
    deltas.map(({ type, id, name, text }) => [type, id, name, text]),
    [['tool', 'a', 'read_file', ''], ['tool', 'a', 'read_file', '{"path":'], ['tool', 'b', 'list_files', '{}'], ['tool', 'a', 'read_file', '"x"}']],
  );
});

test('a call has the same id in its deltas and in the answer, also if the server gives none', async (t) => {
  const { ask, deltas } = await serve(t, (_, response) =>
    stream(response, [delta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{' } }] }), delta({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }, 'stop')]),
  );
  const { tool_calls: [call] } = await ask();
  assert.deepEqual(deltas.map(({ id }) => id), [call.id, call.id]);
});

test('streamed calls without an index, or with the same one, are separated by id', async (t) => {
  for (const index of [undefined, 0]) {
    const complete = (id) => ({ index, id, type: 'function', function: { name: 'f', arguments: `{"n":"${id}"}` } });
    const { ask } = await serve(t, (_, response) => stream(response, [delta({ tool_calls: [complete('a')] }), delta({ tool_calls: [complete('b')] }, 'stop')]));
    const { tool_calls, finish_reason } = await ask();
    assert.deepEqual(tool_calls.map((call) => call.function.arguments), ['{"n":"a"}', '{"n":"b"}']);
    assert.equal(finish_reason, 'tool_calls');
  }
});

test('calls of an unstreamed answer need neither id nor index', async (t) => {
  const call = (path) => ({ type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } });
  const { ask } = await serve(t, (_, response) => json(response, 200, { choices: [{ message: { content: null, tool_calls: [call('a'), call('b')] }, finish_reason: 'tool_calls' }] }));
  const { tool_calls } = await ask();
  assert.deepEqual(tool_calls.map((call) => call.function.arguments), ['{"path":"a"}', '{"path":"b"}']);
  assert.equal(new Set(tool_calls.map(({ id }) => id)).size, 2);
});

test('`function_call` is supported, streamed and unstreamed', async (t) => {
  const old = (name, words) => ({ function_call: { name, arguments: words } });
  const answer = ({ stream: streams }, response) =>
    streams
      ? stream(response, [delta(old('read_file', '{"path"')), delta(old(undefined, ':"a"}')), delta({}, 'function_call')])
      : json(response, 200, { choices: [{ message: { content: null, ...old('read_file', '{"path":"a"}') }, finish_reason: 'function_call' }] });
  for (const streams of [true, false]) {
    const { finish_reason, tool_calls } = await (await serve(t, answer, { stream: streams })).ask();
    assert.deepEqual([finish_reason, tool_calls.map((call) => call.function)], ['tool_calls', [{ name: 'read_file', arguments: '{"path":"a"}' }]]);
  }
});

test('refusals and messages in parts become the content', async (t) => {
  const messages = [{ content: null, refusal: 'I will not.' }, { content: [{ type: 'text', text: 'one, ' }, { type: 'image' }, { type: 'text', text: 'two' }] }];
  const { ask } = await serve(t, (_, response) => json(response, 200, { choices: [{ message: messages.shift(), finish_reason: 'stop' }] }));
  assert.deepEqual([(await ask()).content, (await ask()).content], ['I will not.', 'one, two']);
});

test('calls without ids get unique ids', async (t) => {
  const { ask } = await serve(t, (_, response) => json(response, 200, { choices: [{ message: { content: null, tool_calls: [{ type: 'function', function: { name: 'f', arguments: { a: 1 } } }] }, finish_reason: 'tool_calls' }] }));
  const [first, second] = [await ask(), await ask()];
  assert.equal(first.tool_calls[0].function.arguments, '{"a":1}');
  assert.notEqual(first.tool_calls[0].id, second.tool_calls[0].id);
});

test('streaming is switched off for a server that refuses it', async (t) => {
  const { ask, asked } = await serve(t, (body, response) =>
    body.stream
      ? json(response, 400, { error: { message: 'Streaming is not supported' } })
      : json(response, 200, { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }),
  );
  assert.equal((await ask()).content, 'hi');
  assert.equal((await ask()).content, 'hi');
  assert.deepEqual(asked.map(({ body }) => body.stream), [true, undefined, undefined]);
});

test('the reason of an error is found in any of its shapes', async (t) => {
  for (const [body, words] of [
    [{ error: { message: 'slow down' } }, /answered 400: slow down/],
    [{ error: 'busy' }, /answered 400: busy/],
    [{ message: 'later' }, /answered 400: later/],
    [{ error: { message: { tools: ['too many'] } } }, /answered 400: .*too many/],
    [['no'], /answered 400: \["no"\]/],
  ]) {
    const { ask } = await serve(t, (_, response) => json(response, 400, body));
    await assert.rejects(ask(), words);
  }
  for (const [error, words] of [[{ message: { detail: 'none left' } }, /failed: .*none left/], ['busy', /failed: busy/], [{ code: 502, message: 'upstream' }, /failed: upstream$/]]) {
    const { ask } = await serve(t, (_, response) => stream(response, [{ error }]));
    await assert.rejects(ask(), { name: 'ServerError', message: words });
  }
});

test('an answer other than JSON is an error with its start', async (t) => {
  const { ask } = await serve(t, (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome</h1>'));
  await assert.rejects(ask(), (error) => /200 .*JSON.*<h1>Welcome/.test(error.message) && error.cause instanceof SyntaxError);
});

test('finish reasons of other servers are mapped', async (t) => {
  for (const [theirs, ours] of [['end_turn', 'stop'], ['MAX_TOKENS', 'length'], ['model_length', 'length'], ['eos_token', 'stop'], ['content_filter', 'content_filter'], ['network_error', 'error'], ['whatever', 'stop']]) {
    const { ask } = await serve(t, (_, response) => stream(response, [delta({ content: 'x' }), delta({}, theirs)]));
    assert.equal((await ask()).finish_reason, ours);
  }
});

test('`body` adds and replaces fields, but neither the conversation, nor the tools, nor whether it streams', async (t) => {
  const body = { reasoning_effort: 'high', max_tokens: 9, stream_options: undefined, messages: [], tools: [], stream: false };
  const { ask, asked } = await serve(t, (_, response) => stream(response, [delta({ content: 'x' }, 'stop')]), { body });
  await ask({ maxOutputTokens: 7 });
  assert.deepEqual(asked[0].body, { model: 'm', messages: request.messages, tools: request.tools, max_tokens: 9, stream: true, reasoning_effort: 'high' });
  for (const body of ['x', []]) assert.throws(() => openAiCompatible({ baseUrl: 'http://a', model: 'm', body }), /`body` must be an object/);
});

test('a request can have no tools, a response format and OpenAI\'s token limit', async () => {
  let body;
  const fetch = async (_, init) => {
    body = JSON.parse(init.body);
    return Response.json({ choices: [{ message: { content: '{}' }, finish_reason: 'stop' }] });
  };
  const model = openAiCompatible({ baseUrl: 'https://api.openai.com/v1', model: 'm', fetch, headers: { 'x-title': 'IDE' } });
  const responseFormat = { type: 'json_schema', name: 'task', schema: { type: 'object' } };
  await model({ ...request, tools: [], responseFormat, maxOutputTokens: 5 }, { signal: new AbortController().signal, onDelta() {} });
  assert.equal(body.tools, undefined);
  assert.equal(body.max_completion_tokens, 5);
  assert.deepEqual(body.response_format, { type: 'json_schema', json_schema: { name: 'task', schema: { type: 'object' } } });
});
