// The published packages of each version of the specification, over real HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as anthropic2 from 'ai-sdk-anthropic-v2';
import * as anthropic3 from 'ai-sdk-anthropic-v3';
import * as anthropic4 from 'ai-sdk-anthropic-v4';
import * as compatible2 from 'ai-sdk-openai-compatible-v2';
import * as compatible3 from 'ai-sdk-openai-compatible-v3';
import * as compatible4 from 'ai-sdk-openai-compatible-v4';
import * as openai2 from 'ai-sdk-openai-v2';
import * as openai3 from 'ai-sdk-openai-v3';
import * as openai4 from 'ai-sdk-openai-v4';
import { aiSdk } from 'loopgate/ai-sdk';
import { kindOf } from './adapters/asking.mjs';
import { chat, messages, responses } from './adapters/dialects.mjs';
import { serve as serveWith } from './adapters/server.mjs';

const KEY = 'marked-0d1e2f-key';
const tool = { type: 'function', function: { name: 'read_file', description: 'reads', parameters: { type: 'object', properties: { path: { type: 'string' } } } } };
const request = { role: 'builder', messages: [{ role: 'system', content: 'Build.' }, { role: 'user', content: 'hi' }], tools: [tool] };

const VERSIONS = {
  v2: { openai: openai2, anthropic: anthropic2, compatible: compatible2 },
  v3: { openai: openai3, anthropic: anthropic3, compatible: compatible3 },
  v4: { openai: openai4, anthropic: anthropic4, compatible: compatible4 },
};
const PROVIDERS = {
  chat: ({ openai }, baseURL) => openai.createOpenAI({ apiKey: KEY, baseURL }).chat('gpt'),
  responses: ({ openai }, baseURL) => openai.createOpenAI({ apiKey: KEY, baseURL }).responses('gpt'),
  anthropic: ({ anthropic }, baseURL) => anthropic.createAnthropic({ apiKey: KEY, baseURL })('claude-sonnet-4-5'),
  compatible: ({ compatible }, baseURL) => compatible.createOpenAICompatible({ name: 'local', apiKey: KEY, baseURL, includeUsage: true })('local'),
};

/** Runs a test with each version of these providers. */
function each(name, providers, run) {
  for (const [version, packages] of Object.entries(VERSIONS)) {
    for (const provider of providers) {
      test(`${name} (${provider}, ${version})`, async (t) => run(t, (handle, options) => serve(t, packages, provider, handle, options), provider, version));
    }
  }
}

/** Starts a server for one test; returns a model for it and the requests it got. */
async function serve(t, packages, provider, handle, options) {
  const { address, asked } = await serveWith(t, (_, response, at) => handle(response, at));
  const [deltas, active] = [[], []];
  const sdk = PROVIDERS[provider](packages, `${address}/v1`);
  const model = aiSdk(sdk, options);
  const ask = (more = {}, signal = new AbortController().signal) =>
    model({ ...request, ...more }, { signal, onDelta: (delta) => (delta.type === 'activity' ? active.push(delta) : deltas.push(delta)) });
  return { sdk, model, ask, asked, deltas, active };
}

const data = (event) => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
function stream(response, events, end = true) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(data(event));
  if (end) response.end();
}
const json = (response, status, body, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** An answer with a text and a call of `read_file`, in the words of each service. `upTo` cuts it before its end. */
const ANSWERS = {
  chat: () => chatChunks(),
  compatible: () => chatChunks(),
  anthropic: () => [
    { type: 'message_start', message: { type: 'message', id: 'm', role: 'assistant', model: 'claude-2026', content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 3, cache_read_input_tokens: 40, cache_creation_input_tokens: 500, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'enc' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'I read.' } },
    { type: 'content_block_stop', index: 2 },
    { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'call_1', name: 'read_file', input: {} } },
    { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"path":' } },
    { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '"x"}' } },
    { type: 'content_block_stop', index: 3 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
  responses: () => [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'gpt-2026' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', encrypted_content: null, summary: [] } },
    { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: 0 },
    { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta: 'hm' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'enc', summary: [{ type: 'summary_text', text: 'hm' }] } },
    { type: 'response.output_item.added', output_index: 1, item: { type: 'message', id: 'msg_1' } },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'I read.' },
    { type: 'response.output_item.done', output_index: 1, item: { type: 'message', id: 'msg_1' } },
    { type: 'response.output_item.added', output_index: 2, item: { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read_file', arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 2, delta: '{"path":' },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 2, delta: '"x"}' },
    { type: 'response.output_item.done', output_index: 2, item: { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read_file', arguments: '{"path":"x"}', status: 'completed' } },
    { type: 'response.completed', response: { incomplete_details: null, usage: { input_tokens: 543, input_tokens_details: { cached_tokens: 40, cache_write_tokens: 500 }, output_tokens: 9, output_tokens_details: { reasoning_tokens: 4 } } } },
  ],
};
function chatChunks() {
  const chunk = (delta, finish_reason = null) => ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-2026', choices: [{ index: 0, delta, finish_reason }] });
  const call = (more, words) => chunk({ tool_calls: [{ index: 0, ...more, function: { ...(more.id && { name: 'read_file' }), arguments: words } }] });
  const usage = { prompt_tokens: 543, completion_tokens: 9, total_tokens: 552, prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 500 }, completion_tokens_details: { reasoning_tokens: 4 } };
  return [
    chunk({ role: 'assistant', content: 'I read.' }),
    call({ id: 'call_1', type: 'function' }, ''),
    call({}, '{"path":'),
    call({}, '"x"}'),
    chunk({}, 'tool_calls'),
    { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-2026', choices: [], usage },
  ];
}
const ALL = Object.keys(PROVIDERS);
const message = ({ content, tool_calls, providerData }) => JSON.parse(JSON.stringify({ role: 'assistant', content, tool_calls, providerData }));
const result = { role: 'tool', tool_call_id: 'call_1', name: 'read_file', content: 'text of x' };

each('a streamed answer is assembled, with its usage and its call in deltas', ALL, async (_, serve, provider) => {
  const { ask, deltas, active, sdk } = await serve((response) => stream(response, ANSWERS[provider]()));
  const { content, tool_calls, finish_reason, usage, model } = await ask();
  assert.deepEqual([content, finish_reason, model], ['I read.', 'tool_calls', provider === 'anthropic' ? 'claude-2026' : 'gpt-2026']);
  assert.deepEqual(tool_calls.map(({ id, function: named }) => [id, named]), [['call_1', { name: 'read_file', arguments: '{"path":"x"}' }]]);
  const { reasoningTokens, ...rest } = usage;
  // The provider for other servers does not pass on what was written to the cache.
  const cacheWriteTokens = provider === 'compatible' ? {} : { cacheWriteTokens: 500 };
  assert.deepEqual(rest, { inputTokens: 543, outputTokens: 9, cachedInputTokens: 40, ...cacheWriteTokens }, sdk.specificationVersion);
  if (provider !== 'anthropic') assert.equal(reasoningTokens, 4);
  const shown = deltas.filter(({ type }) => type === 'tool');
  assert.equal(shown.map(({ text }) => text).join(''), '{"path":"x"}');
  assert.ok(shown.length > 2 && shown.every(({ id, name }) => id === 'call_1' && name === 'read_file'));
  assert.equal(deltas.filter(({ type }) => type === 'text').map(({ text }) => text).join(''), 'I read.');
  assert.equal(deltas.some(({ type }) => type === 'reasoning'), ['anthropic', 'responses'].includes(provider));
  assert.ok(active.length > ANSWERS[provider]().length / 2);
});

each('the conversation goes back, with thoughts in their places', ALL, async (_, serve, provider) => {
  const { ask, asked } = await serve((response) => stream(response, ANSWERS[provider]()), { providerOptions: { openai: { store: false } } });
  const answer = await ask();
  await ask({ messages: [...request.messages, message(answer), result], maxOutputTokens: 5 });
  const { body } = asked[1];
  const said = JSON.stringify(body);
  assert.ok(said.includes('text of x') && said.includes('I read.') && said.includes('Build.') && said.includes('read_file'));
  if (provider === 'anthropic') {
    const [thought, redacted, text, call] = body.messages.at(-2).content;
    assert.deepEqual([thought, redacted], [{ type: 'thinking', thinking: 'hm', signature: 'sig' }, { type: 'redacted_thinking', data: 'enc' }]);
    assert.deepEqual([text.text, call.input], ['I read.', { path: 'x' }]);
    assert.equal(body.max_tokens, 5);
  } else if (provider === 'responses') {
    const thought = body.input.find(({ type }) => type === 'reasoning');
    assert.deepEqual([thought.encrypted_content, thought.summary], ['enc', [{ type: 'summary_text', text: 'hm' }]]);
    assert.equal(body.input.findIndex(({ type }) => type === 'reasoning'), 2, 'before the text');
  } else {
    assert.deepEqual(body.messages.at(-2).tool_calls[0].function, { name: 'read_file', arguments: '{"path":"x"}' });
  }
});

each('a refused call rejects with the words, the status and the delay, and without the key', ALL, async (_, serve, provider) => {
  const { ask } = await serve((response) => json(response, 429, { type: 'error', error: { type: 'rate_limit_error', message: `slow down ${KEY}`, code: null, param: null } }, { 'retry-after': '3', 'x-key': KEY }));
  await assert.rejects(ask(), (error) => {
    assert.match(error.message, /answered 429: slow down \[redacted\]/);
    assert.deepEqual([error.status, error.retryAfter, error.cause], [429, 3, undefined]);
    assert.ok(!JSON.stringify(Object.getOwnPropertyNames(error).map((name) => error[name])).includes(KEY));
    return true;
  });
});

each('a refusal in a form that the provider does not know has its words', ALL, async (_, serve) => {
  for (const [body, words] of [[{ error: { message: 'the reason' } }, /answered 400: the reason/], [{ message: 'of a gateway' }, /answered 400: of a gateway/], [['no'], /answered 400: \["no"\]/]]) {
    const { ask } = await serve((response) => json(response, 400, body));
    await assert.rejects(ask(), (error) => error.status === 400 && words.test(error.message));
  }
});

each('a page in place of an answer is not tried again', ALL, async (_, serve) => {
  for (const stream of [true, false]) {
    for (const [type, body] of [['text/html; charset=utf-8', '<h1>Sign in</h1>'], ['text/plain', 'hello']]) {
      const { ask } = await serve((response) => response.writeHead(200, { 'content-type': type }).end(body), { stream });
      await assert.rejects(ask(), (error) => kindOf(error) === 'lasting' && /check its address/.test(error.message) && (!stream || error.message.includes(`answered with ${type} in place of a stream`)));
    }
  }
});

each('a stream that breaks off before its first event is tried again', ALL, async (_, serve) => {
  const { ask } = await serve((response) => stream(response, []));
  assert.equal((await ask()).finish_reason, 'error');
});

each('a lost connection is one that the core tries again', ALL, async (_, serve) => {
  const { ask } = await serve((response) => response.destroy());
  await assert.rejects(ask(), (error) => /^(UND_ERR_|ECONNRESET|NetworkError)/.test(error.code) || /fetch failed/.test(error.message));
});

each('an error within a stream rejects like its HTTP counterpart', ALL, async (_, serve, provider) => {
  const type = provider === 'anthropic' ? 'overloaded_error' : 'server_error';
  const error = { type, message: 'Sorry', code: type, param: null };
  const event = provider === 'responses' ? { type: 'error', sequence_number: 1, error } : provider === 'anthropic' ? { type: 'error', error } : { error };
  const { ask } = await serve((response) => stream(response, [...ANSWERS[provider]().slice(0, 2), event]));
  await assert.rejects(ask(), (thrown) => thrown.status >= 500 && /Sorry/.test(thrown.message));
});

// Version 2 of the provider of the Responses API passes over the errors of a stream.
each('an error of a stream is tried again only if that helps', ALL, async (_, serve, provider, version) => {
  if (provider === 'responses' && version === 'v2') return;
  const dialect = { anthropic: messages, responses, chat, compatible: chat }[provider];
  for (const before of [[], dialect.stream({ text: 'some text' }).slice(0, 3)]) {
    for (const [codes, kind] of dialect.codes.filter(([codes]) => Object.keys(codes).length > 0)) {
      const { ask } = await serve((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(before.join('') + dialect.failure({ message: 'it broke', ...codes }) + dialect.end);
      });
      await assert.rejects(ask(), (error) => {
        assert.equal(kindOf(error) === 'lasting', kind === 'lasting', `${JSON.stringify(codes)} is ${kind}: ${error.message}`);
        assert.match(error.message, /^the model's server (failed|answered \d+): [^]/);
        return error.message.includes(codes.message ?? 'it broke') && !error.message.includes('validation');
      });
    }
  }
});

each('a stream that breaks off has the finish reason error, and no half call', ALL, async (_, serve, provider) => {
  const half = ANSWERS[provider]().slice(0, -3);
  for (const how of ['end', 'destroy']) {
    const { ask, deltas } = await serve(async (response) => {
      stream(response, half, how === 'end');
      while (how === 'destroy' && deltas.length === 0) await new Promise(setImmediate);
      if (how === 'destroy') response.destroy();
    });
    const { content, finish_reason, tool_calls } = await ask();
    assert.deepEqual([content, finish_reason, tool_calls], ['I read.', 'error', undefined], how);
  }
});

each('an abort ends the call at any point', ALL, async (_, serve, provider) => {
  const controller = new AbortController();
  const { ask } = await serve((response) => {
    stream(response, ANSWERS[provider]().slice(0, 3), false);
    setImmediate(() => controller.abort());
  });
  await assert.rejects(ask({}, controller.signal), { name: 'AbortError' });
  await assert.rejects(ask({}, AbortSignal.abort()), { name: 'AbortError' });
});

each('a structured answer has the format of the provider', ALL, async (_, serve, provider) => {
  const responseFormat = { type: 'json_schema', name: 'task', schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false } };
  const { ask, asked } = await serve((response) => stream(response, ANSWERS[provider]()));
  await ask({ responseFormat, tools: [] });
  const { response_format, text, output_format, output_config, tools } = asked[0].body;
  assert.ok(response_format ?? text?.format ?? output_format ?? output_config?.format ?? tools, JSON.stringify(asked[0].body));
});
