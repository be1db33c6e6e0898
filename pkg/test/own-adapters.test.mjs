// As `own.test.mjs`, for the adapters of services with content blocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aiSdk } from 'loopgate/ai-sdk';
import { anthropic } from 'loopgate/anthropic';

const KEYS = ['__proto__', 'constructor', 'prototype'];

/** Every object in a copy of a value gets the keys. */
function hostile(value) {
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hostile(field)]));
  for (const key of KEYS) Object.defineProperty(copy, key, { value: { polluted: true }, enumerable: true, configurable: true });
  return copy;
}

const context = () => ({ signal: new AbortController().signal, onDelta() {} });
const message = ({ content, tool_calls, providerData }) => ({ role: 'assistant', content, ...(tool_calls && { tool_calls }), ...(providerData && { providerData }) });

/** Each adapter over a service that answers with these; the last body or prompt that it got. */
const ADAPTERS = {
  anthropic: {
    answer: { model: 'm', stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 1 }, content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, { type: 'text', text: 'Hi' }, { type: 'tool_use', id: 'a', name: 'f', input: { at: 1 } }] },
    over(answers) {
      const sent = [];
      const model = anthropic({ model: 'm', fetch: async (_, { body }) => sent.push(JSON.parse(body)) && Response.json(answers.shift()) });
      return { model, sent: () => sent.at(-1).messages.find(({ role }) => role === 'assistant')?.content, all: sent };
    },
  },
  aiSdk: {
    answer: { finishReason: 'tool-calls', usage: { inputTokens: 1, outputTokens: 1 }, content: [{ type: 'reasoning', text: 'hm', providerMetadata: { p: { signature: 's' } } }, { type: 'text', text: 'Hi' }, { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: '{"at":1}' }] },
    over(answers) {
      const sent = [];
      const sdk = { specificationVersion: 'v2', modelId: 'm', doStream() {}, doGenerate: async ({ abortSignal, ...options }) => sent.push(JSON.parse(JSON.stringify(options))) && answers.shift() };
      return { model: aiSdk(sdk, { stream: false }), sent: () => sent.at(-1).prompt.find(({ role }) => role === 'assistant')?.content, all: sent };
    },
  },
};

for (const [name, { answer, over }] of Object.entries(ADAPTERS)) {
  test(`keys of every object in an answer to ${name} are data, there and back`, async () => {
    const { model, sent } = over([answer, hostile(answer), answer]);
    const request = (messages) => ({ role: 'builder', messages: [{ role: 'user', content: 'hi' }, ...messages], tools: [] });
    const [plain, found] = [await model(request([]), context()), await model(request([]), context())];
    assert.equal({}.polluted, undefined);
    assert.deepEqual([found.content, found.finish_reason, found.usage, found.tool_calls[0].function.name], [plain.content, plain.finish_reason, plain.usage, 'f']);
    await model(request([message(found)]), context());
    assert.equal({}.polluted, undefined);
    const [thought] = sent();
    assert.ok(KEYS.every((key) => Object.hasOwn(thought.providerOptions ?? thought, key)));
  });

  test(`what every object inherits is no option of ${name} and no part of an answer`, async () => {
    const pollution = { tools: [{ name: 'x' }], body: { x: 1 }, thinking: { type: 'x' }, output_config: { x: 1 }, data: { x: 1 }, text: 7, providerData: { parts: [] }, providerMetadata: { x: 1 }, providerExecuted: true, providerOptions: { x: 1 }, headers: { x: 'y' }, responseFormat: {}, maxOutputTokens: 1, preliminary: true, images: [{ mediaType: 'image/png', data: 'AAAA' }], cacheWrite: 7, cacheWriteTokens: 7, azure: { usage: { cacheWriteTokens: 7 } } };
    const request = (own) => ({ role: 'builder', messages: [{ role: 'user', content: 'hi' }, ...own], tools: [] });
    const run = async () => {
      const { model, all } = over([structuredClone(answer), structuredClone(answer)]);
      const found = await model(request([]), context());
      await model(request([message(found), { role: 'tool', tool_call_id: 'a', name: 'f', content: 'x' }]), context());
      return JSON.stringify([found, all]);
    };
    const expected = await run();
    for (const [key, value] of Object.entries(pollution)) {
      Object.defineProperty(Object.prototype, key, { value, writable: true, configurable: true });
      try {
        assert.equal(await run(), expected, key);
      } finally {
        delete Object.prototype[key];
      }
    }
  });
}
