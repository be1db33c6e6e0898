// How adapters take what is wrong with their settings, and what services refuse or count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from 'ai-sdk-anthropic-v4';
import { aiSdk } from 'loopgate/ai-sdk';
import { anthropic } from 'loopgate/anthropic';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { asker, outcome } from './asking.mjs';

const chat = (options) => openAiCompatible({ baseUrl: 'http://x/v1', apiKey: 'sk-secret-key', model: 'm', ...options });
const responses = (options) => openAiResponses({ apiKey: 'sk-secret-key', model: 'm', ...options });
const messages = (options) => anthropic({ apiKey: 'sk-secret-key', model: 'm', ...options });
const ofSdk = ({ fetch }) => aiSdk(createAnthropic({ apiKey: 'sk-secret-key', fetch })('claude'));

const said = { choices: [{ message: { content: '{}' }, finish_reason: 'stop' }], output: [], status: 'completed', content: [{ type: 'text', text: '{}' }], stop_reason: 'end_turn' };
const refusal = (error, status = 400, headers = {}) => Response.json({ type: 'error', error }, { status, headers });
const responseFormat = { type: 'json_schema', name: 'x', schema: {} };

for (const [what, connect, isRefused, words, more] of [
  ['structured answers', messages, (body) => body.output_config, 'output_config.format: not supported', { responseFormat }],
  ['streaming', chat, (body) => body.stream, 'stream is not supported'],
  ['streaming', responses, (body) => body.stream, 'stream is not supported'],
  ['encrypted reasoning', responses, (body) => body.include, 'encrypted content is not supported'],
  ['an added field', chat, (body) => body.messages[0].extra, 'unknown field extra', { messages: [{ role: 'assistant', content: 'x', providerData: { extra: 1 } }] }],
]) {
  test(`${connect.name}: two calls at once both pass if the service refuses ${what}`, async () => {
    const { ask } = asker(connect({ fetch: async (_, { body }) => (isRefused(JSON.parse(body)) ? refusal({ message: words }) : Response.json(said)) }));
    const answers = await Promise.all([ask(more), ask(more)]);
    assert.deepEqual(answers.map(({ finish_reason }) => finish_reason), ['stop', 'stop']);
  });
}

test('a failure of the upstream server does not end streaming', async () => {
  for (const connect of [chat, responses]) {
    let count = 0;
    const { ask } = asker(connect({ fetch: async () => refusal({ message: `Upstream request ${++count} failed` }) }));
    await assert.rejects(ask(), /Upstream request 1 failed/);
  }
});

test('a header replaces the header of the adapter in any case, and one without a value is not sent', async () => {
  for (const connect of [chat, responses, messages]) {
    let sent;
    const fetch = async (_, init) => {
      sent = new Headers(init.headers);
      return Response.json(said);
    };
    await asker(connect({ fetch, headers: { Authorization: 'Bearer other', 'X-Api-Key': 'other', 'Content-Type': 'application/json; charset=utf-8', 'X-Title': undefined } })).ask();
    assert.deepEqual(['authorization', 'x-api-key', 'content-type', 'x-title'].map((name) => sent.get(name)), ['Bearer other', 'other', 'application/json; charset=utf-8', null]);
  }
});

test('a key with a character that no header can have is named by its header, and not shown', async () => {
  const fetch = async () => assert.fail('sent');
  for (const [connect, header] of [[chat, 'authorization'], [responses, 'authorization'], [messages, 'x-api-key']]) {
    for (const [apiKey, code] of [['sk-abcdefgh\u2026', 'U+2026'], ['sk-abcdefgh\nsk-abcdefgh', 'U+000A'], ['sk-abcdefgh\u{1f511}', 'U+1F511']]) {
      const { error } = await outcome(asker(connect({ apiKey, fetch })).ask());
      assert.match(error.message, new RegExp(`\`${header}\` has the character ${code.replace('+', '\\+')},`));
      assert.doesNotMatch(error.message, /abcdefgh/);
    }
    // What pasting adds at the ends does no harm.
    assert.equal((await asker(connect({ apiKey: 'sk-abcdefgh\n', fetch: async () => Response.json(said) })).ask()).finish_reason, 'stop');
  }
});

test('a refusal for the length of the conversation has the words by which the core recognises it', async () => {
  for (const error of [
    { message: 'Please reduce the length of the messages or completion.', type: 'invalid_request_error', code: 'context_length_exceeded' },
    { message: 'input length and `max_tokens` exceed context limit: 199211 + 8000 > 200000', type: 'invalid_request_error' },
    { message: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." },
    { message: 'Input is too long for requested model.' },
    { message: 'the request exceeds the available size', type: 'exceed_context_size_error' },
  ]) {
    for (const connect of [chat, responses, messages, ofSdk]) {
      const whole = await outcome(asker(connect({ fetch: async () => refusal(error) })).ask());
      assert.match(whole.error.message, /context_length_exceeded/);
      assert.equal(whole.error.status, 400);
    }
    const { error: streamed } = await outcome(asker(chat({ fetch: async () => new Response(`data: ${JSON.stringify({ error: { ...error, code: error.code ?? 400 } })}\n\n`, { headers: { 'content-type': 'text/event-stream' } }) })).ask());
    assert.match(streamed.message, /context_length_exceeded/);
  }
});

test('other refusals do not have these words', async () => {
  for (const [error, status] of [[{ message: 'too many tokens per minute' }, 429], [{ message: 'the upstream took too long' }, 504], [{ message: 'wrong' }, 400]]) {
    const { error: thrown } = await outcome(asker(chat({ fetch: async () => refusal(error, status) })).ask());
    assert.doesNotMatch(thrown.message, /context_length/);
  }
});

test('the reason that a provider behind a gateway gives is a part of the error', async () => {
  const { error } = await outcome(asker(chat({ fetch: async () => refusal({ message: 'Provider returned error', metadata: { raw: '{"detail":"no such tool"}' } }) })).ask());
  assert.match(error.message, /Provider returned error: \{"detail":"no such tool"\}/);
});

test('a stream has its type in any case', async () => {
  const fetch = async () => new Response(`data: ${JSON.stringify({ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] })}\n\n`, { headers: { 'content-type': 'Text/Event-Stream' } });
  assert.equal((await asker(chat({ fetch })).ask()).content, 'x');
});

test('a `body` of the wrong kind is refused at once', () => {
  for (const body of ['x', [], { tools: {} }]) assert.throws(() => messages({ body }), { code: 'invalid-argument' });
});

test('what a client attaches to its error has no key, also where no own property shows it', async () => {
  const key = 'sk-secret-key';
  for (const attached of [
    new Headers({ authorization: `Bearer ${key}` }),
    new Request('http://x/', { headers: { 'x-api-key': key } }),
    new Response('', { headers: { 'x-echo': key } }),
    new URL(`http://x/?key=${key}`),
    new URLSearchParams({ key }),
    new TextEncoder().encode(`x-api-key: ${key}`),
    new TextEncoder().encode(`x-api-key: ${key}`).buffer,
  ]) {
    for (const connect of [chat, messages]) {
      const thrown = Object.assign(new TypeError('fetch failed', { cause: { attached } }), { attached });
      const { error } = await outcome(asker(connect({ fetch: async () => Promise.reject(thrown) })).ask());
      assert.deepEqual([error.message, error.name, error.attached, error.cause], ['fetch failed', 'TypeError', undefined, undefined], attached.constructor.name);
    }
  }
});

test('large data in an error is looked at in one piece', async () => {
  const thrown = Object.assign(new TypeError('fetch failed'), { data: new Uint8Array(16 * 1024 * 1024) });
  const { error } = await outcome(asker(chat({ fetch: async () => Promise.reject(thrown) })).ask());
  assert.equal(error, thrown);
});

test('a delay is not negative', async () => {
  for (const headers of [{ 'retry-after-ms': '-5' }, { 'retry-after': '-5' }, { 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' }]) {
    const { error } = await outcome(asker(chat({ fetch: async () => refusal({ message: 'busy' }, 503, headers) })).ask());
    assert.equal(error.retryAfter, 0);
  }
});

test('a count at the end of an answer does not undo a larger one at its start', async () => {
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: 25, cache_read_input_tokens: 5, output_tokens: 1 } } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const fetch = async () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } });
  assert.deepEqual((await asker(messages({ fetch })).ask()).usage, { inputTokens: 30, outputTokens: 9, cachedInputTokens: 5 });
});

test('ids and names of calls are texts, also if the server sends numbers', async () => {
  const tool_calls = [{ id: 7, function: { name: 8, arguments: '{}' } }];
  const { ask } = asker(chat({ fetch: async () => Response.json({ choices: [{ message: { tool_calls }, finish_reason: 'tool_calls' }] }) }));
  const [{ id, function: { name } }] = (await ask()).tool_calls;
  assert.deepEqual([id, name], ['7', '8']);
});

test('abilities that are no abilities are refused when the adapter is made', () => {
  const sdk = (options) => aiSdk(createAnthropic({ apiKey: 'sk-secret-key' })('claude'), options);
  for (const connect of [chat, responses, messages, sdk]) {
    for (const [contextTokens, words] of [[0, '0'], [-1, '-1'], [NaN, 'NaN'], [Infinity, 'Infinity'], ['8000', 'a string']]) {
      assert.throws(() => connect({ contextTokens }), { code: 'invalid-argument', message: `\`contextTokens\` is ${words}: pass the number of tokens of the model's context window, or leave it out` });
    }
    assert.throws(() => connect({ images: 'yes' }), { code: 'invalid-argument', message: '`images` must be true or false, not a string' });
    assert.deepEqual([connect({ contextTokens: 8000 }).contextTokens, connect({ contextTokens: null }).contextTokens], [8000, undefined]);
  }
});

test('a model without an id is refused when the adapter is made', () => {
  for (const connect of [chat, responses, messages]) assert.throws(() => connect({ model: undefined }), { code: 'invalid-argument', message: '`model` must be a string, not undefined' });
});

test('an answer without the id of a model has the id of the request', async () => {
  for (const connect of [chat, responses, messages]) {
    const answer = (model) => asker(connect({ fetch: async () => Response.json({ ...said, ...(model !== undefined && { model }) }) })).ask();
    assert.deepEqual([(await answer()).model, (await answer('')).model, (await answer('m-2026-01-31')).model], ['m', 'm', 'm-2026-01-31']);
  }
});

test('anthropic: a stream that breaks off has the tokens that were written, estimated', async () => {
  const events = [
    { type: 'message_start', message: { model: 'm', usage: { input_tokens: 1_000, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'a'.repeat(200) } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'ü'.repeat(100) } },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'write_file', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: `{"path":"${'b'.repeat(191)}` } },
  ];
  const streamed = (...more) => async () => new Response([...events, ...more].map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } });
  const usage = async (...more) => (await asker(messages({ fetch: streamed(...more) })).ask()).usage;
  assert.deepEqual(await usage(), { inputTokens: 1_000, outputTokens: 150, estimated: true });
  assert.deepEqual(await usage({ type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 90 } }, { type: 'message_stop' }), { inputTokens: 1_000, outputTokens: 90 });
});
