// The packages' own mock models: what providers may do beyond the usual.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MockLanguageModelV2 } from 'ai-sdk-v2/test';
import { MockLanguageModelV3 } from 'ai-sdk-v3/test';
import { MockLanguageModelV4 } from 'ai-sdk-v4/test';
import { aiSdk } from 'loopgate/ai-sdk';

const request = { role: 'builder', messages: [{ role: 'user', content: 'hi' }], tools: [] };
const streamOf = (parts) => new ReadableStream({ start(controller) { for (const part of parts) controller.enqueue(part); controller.close(); } });

/** The words of each version for the same. */
const VERSIONS = {
  v2: {
    Mock: MockLanguageModelV2,
    usage: { inputTokens: 9, outputTokens: 5, totalTokens: 14, cachedInputTokens: 4, reasoningTokens: 2 },
    reason: (unified) => unified,
    stored: {},
    file: (data) => data,
  },
  v3: {
    Mock: MockLanguageModelV3,
    usage: { inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: 1 }, outputTokens: { total: 5, text: 3, reasoning: 2 } },
    reason: (unified, raw) => ({ unified, raw }),
    stored: { cacheWriteTokens: 1 },
    file: (data) => data,
  },
  v4: {
    Mock: MockLanguageModelV4,
    usage: { inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: 1 }, outputTokens: { total: 5, text: 3, reasoning: 2 } },
    reason: (unified, raw) => ({ unified, raw }),
    stored: { cacheWriteTokens: 1 },
    file: (data) => ({ type: 'data', data }),
  },
};

/** Runs a test with the mock model of each version. */
function each(name, run) {
  for (const [version, words] of Object.entries(VERSIONS)) test(`${name} (${version})`, (t) => run(words, t));
}

/** A model that streams these parts for each call; the calls that it gets. */
function mock({ Mock }, answers, options) {
  const sdk = new Mock({ modelId: 'mock', doStream: async () => ({ stream: streamOf(answers[Math.min(sdk.doStreamCalls.length, answers.length) - 1]) }) });
  const [model, deltas] = [aiSdk(sdk, options), []];
  const ask = (more = {}, signal = new AbortController().signal) => model({ ...request, ...more }, { signal, onDelta: (delta) => delta.type === 'activity' || deltas.push(delta) });
  return { ask, deltas, calls: sdk.doStreamCalls };
}
const finish = ({ usage, reason }, unified = 'stop', raw = undefined) => ({ type: 'finish', usage, finishReason: reason(unified, raw) });
const text = (id, words, providerMetadata) => [{ type: 'text-start', id }, { type: 'text-delta', id, delta: words }, { type: 'text-end', id, providerMetadata }];
const message = ({ content, tool_calls, providerData }) => JSON.parse(JSON.stringify({ role: 'assistant', content, tool_calls, providerData }));
const result = (id) => ({ role: 'tool', tool_call_id: id, name: 'f', content: `result of ${id}` });

each('usage and reasons are read in the form of each version', async (version) => {
  for (const [theirs, ours, raw] of [['stop', 'stop'], ['length', 'length'], ['content-filter', 'content_filter'], ['error', 'error'], ['other', 'stop', 'eos'], ['other', 'stop'], ['unknown', 'stop'], ['interrupted', 'error']]) {
    const { ask } = mock(version, [[...text('0', 'hi'), finish(version, theirs, raw)]]);
    assert.deepEqual(await ask(), { content: 'hi', finish_reason: ours, usage: { inputTokens: 9, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2, ...version.stored }, model: 'mock' });
  }
});

each('a request has all that the model needs', async (version) => {
  const { ask, calls } = mock(version, [[finish(version)]], { providerOptions: { mock: { effort: 'low' } }, headers: { 'x-title': 'IDE' } });
  const call = (id) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } });
  const controller = new AbortController();
  await ask({
    messages: [{ role: 'system', content: 'Build.' }, { role: 'user', content: 'hi' }, { role: 'assistant', content: 'I call.', tool_calls: [call('a'), call('b')] }, result('a'), result('b')],
    tools: [{ type: 'function', function: { name: 'f', description: 'does', parameters: { type: 'object' } } }],
    responseFormat: { type: 'json_schema', name: 'task', schema: { type: 'object' } },
    maxOutputTokens: 7,
  }, controller.signal);
  const part = (id) => ({ type: 'tool-call', toolCallId: id, toolName: 'f', input: { a: 1 } });
  const done = (id) => ({ type: 'tool-result', toolCallId: id, toolName: 'f', output: { type: 'text', value: `result of ${id}` } });
  const [{ prompt, abortSignal, ...rest }] = calls;
  assert.equal(abortSignal, controller.signal);
  assert.deepEqual(JSON.parse(JSON.stringify(prompt)), [
    { role: 'system', content: 'Build.' },
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'I call.' }, part('a'), part('b')] },
    { role: 'tool', content: [done('a'), done('b')] },
  ]);
  assert.deepEqual(rest, {
    providerOptions: { mock: { effort: 'low' } },
    headers: { 'x-title': 'IDE' },
    tools: [{ type: 'function', name: 'f', description: 'does', inputSchema: { type: 'object' } }],
    toolChoice: { type: 'auto' },
    responseFormat: { type: 'json', name: 'task', schema: { type: 'object' } },
    maxOutputTokens: 7,
    includeRawChunks: true,
  });
});

each('metadata, files and calls of the service go back in the same places', async (version) => {
  const signed = (signature) => ({ google: { signature } });
  const parts = [
    { type: 'reasoning-start', id: '0', providerMetadata: signed('r') },
    { type: 'reasoning-delta', id: '0', delta: 'hm' },
    { type: 'reasoning-end', id: '0' },
    ...text('0', 'One. ', signed('t')),
    { type: 'file', mediaType: 'image/png', data: version.file(new Uint8Array([1, 2, 255])), providerMetadata: signed('f') },
    { type: 'tool-call', toolCallId: 's', toolName: 'search', input: '{"q":"x"}', providerExecuted: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'search', result: { found: 1 }, providerExecuted: true },
    { type: 'source', sourceType: 'url', id: 'u', url: 'http://u' },
    { type: 'reasoning-start', id: '1' },
    { type: 'reasoning-end', id: '1' },
    ...text('1', 'Two.'),
    { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: '', providerMetadata: signed('c') },
    finish(version, 'tool-calls'),
  ];
  const { ask, calls, deltas } = mock(version, [parts]);
  const answer = await ask();
  assert.deepEqual([answer.content, answer.tool_calls], ['One. Two.', [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, providerData: signed('c') }]]);
  assert.deepEqual(deltas.filter(({ type }) => type === 'tool'), [{ type: 'tool', id: 'a', name: 'f', text: '' }]);
  await ask({ messages: [...request.messages, message(answer), result('a')] });
  assert.deepEqual(JSON.parse(JSON.stringify(calls[1].prompt[1].content)), [
    { type: 'reasoning', text: 'hm', providerOptions: signed('r') },
    { type: 'text', text: 'One. ', providerOptions: signed('t') },
    { type: 'file', mediaType: 'image/png', data: version.file('AQL/'), providerOptions: signed('f') },
    { type: 'tool-call', toolCallId: 's', toolName: 'search', input: { q: 'x' }, providerExecuted: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'search', output: { type: 'json', value: { found: 1 } }, providerExecuted: true },
    { type: 'text', text: 'Two.' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {}, providerOptions: signed('c') },
  ]);
});

test('an address of a file and parts of the service go back as version 4 takes them', async () => {
  const file = { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'url', url: new URL('http://a/b') } };
  const { ask, calls } = mock(VERSIONS.v4, [[file, { type: 'custom', kind: 'mock.state', providerMetadata: { mock: { id: 1 } } }, finish(VERSIONS.v4)]]);
  await ask({ messages: [...request.messages, message(await ask()), { role: 'user', content: 'go on' }] });
  const [first, second] = calls[1].prompt[1].content;
  assert.ok(first.data.url instanceof URL && first.data.url.href === 'http://a/b');
  assert.deepEqual({ ...second }, { type: 'custom', kind: 'mock.state', providerOptions: { mock: { id: 1 } } });
});

each('data that does not fit the message is left out', async (version) => {
  const { ask, calls } = mock(version, [[finish(version)]]);
  const reasoning = { data: { type: 'reasoning', text: 'hm' } };
  for (const parts of [[reasoning], [reasoning, { text: 99 }], [reasoning, { text: 2 }, { call: 0 }], [reasoning, { text: 2 }, 7]]) {
    await ask({ messages: [...request.messages, { role: 'assistant', content: 'hi', providerData: { parts } }, { role: 'user', content: 'go on' }] });
    assert.deepEqual(calls.at(-1).prompt[1].content, [{ type: 'text', text: 'hi' }]);
  }
});

each('without streaming, the answer is taken whole', async (version) => {
  const { Mock, usage, reason } = version;
  const content = [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'draft ' }, { type: 'text', text: '{}' }, { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: '{"b":1}' }];
  const sdk = new Mock({ doGenerate: async () => ({ content, usage, finishReason: reason('tool-calls'), response: { modelId: 'mock-2' }, structuredOutputText: '{}', warnings: [] }) });
  const deltas = [];
  const answer = await aiSdk(sdk, { stream: false })(request, { signal: new AbortController().signal, onDelta: (delta) => deltas.push(delta) });
  assert.deepEqual([answer.content, answer.finish_reason, answer.model, answer.tool_calls[0].function.arguments], ['{}', 'tool_calls', 'mock-2', '{"b":1}']);
  assert.deepEqual(deltas.map(({ type, text }) => [type, text]), [['reasoning', 'hm'], ['text', 'draft '], ['text', '{}'], ['tool', '{"b":1}']]);
});

each('errors of a stream are read in any form, and have no key of the model', async (version) => {
  const key = 'marked-0d1e2f-key';
  for (const [error, status, words] of [
    [`no such key: ${key}`, 500, /failed: no such key: \[redacted\]/],
    [{ type: 'rate_limit_exceeded', message: 'slow down' }, 429, /failed: slow down/],
    [{ error: { code: 'insufficient_quota', message: 'none left' } }, 402, /failed: none left/],
    [`${'x'.repeat(992)}${key}`, 500, /x\[redacte$/],
    [{ detail: 'odd' }, 500, /failed: \{"detail":"odd"\}/],
    [Object.assign(new Error('busy'), { statusCode: 503, responseHeaders: { 'retry-after-ms': '250', other: key } }), 503, /answered 503: busy/],
  ]) {
    const sdk = new version.Mock({ doStream: async () => ({ stream: streamOf([...text('0', 'a'), { type: 'error', error }, finish(version, 'error')]) }) });
    sdk.config = { headers: () => ({ authorization: `Bearer ${key}` }) };
    await assert.rejects(aiSdk(sdk)(request, { signal: new AbortController().signal, onDelta() {} }), (thrown) => {
      assert.match(thrown.message, words);
      assert.equal(thrown.status, status);
      if (status === 503) assert.equal(thrown.retryAfter, 0.25);
      return true;
    });
  }
});

each('calls that share an id, or have none, get ids of their own', async (version) => {
  const { ask } = mock(version, [[...['a', 'a', '', undefined].map((toolCallId, n) => ({ type: 'tool-call', toolCallId, toolName: 'f', input: `{"n":${n}}` })), finish(version, 'tool-calls')]]);
  const { tool_calls } = await ask();
  assert.deepEqual(tool_calls.map(({ function: named }) => JSON.parse(named.arguments).n), [0, 1, 2, 3]);
  assert.deepEqual([tool_calls[0].id, new Set(tool_calls.map(({ id }) => id)).size], ['a', 4]);
});

each('a stream that hangs ends with an abort', async (version) => {
  const controller = new AbortController();
  let cancelled = false;
  const stream = new ReadableStream({ cancel: () => void (cancelled = true) });
  const sdk = new version.Mock({ doStream: async () => ({ stream }) });
  const answer = aiSdk(sdk)(request, { signal: controller.signal, onDelta() {} });
  setImmediate(() => controller.abort());
  await assert.rejects(answer, { name: 'AbortError' });
  assert.equal(cancelled, true);
});

test('what is not a language model of version 2 or later is refused at once', () => {
  for (const model of [undefined, 'openai/gpt-5', {}, { specificationVersion: 'v1', doStream() {} }]) {
    assert.throws(() => aiSdk(model), (error) => error.code === 'invalid-argument' && /`model` must be a language model of the AI SDK 5 or later/.test(error.message));
  }
});
