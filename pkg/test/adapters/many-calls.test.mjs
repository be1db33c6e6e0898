// Answers with more calls than are read: the call after the last one ends the answer, and the time is linear.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MockLanguageModelV2 } from 'ai-sdk-v2/test';
import { MockLanguageModelV4 } from 'ai-sdk-v4/test';
import { aiSdk } from 'loopgate/ai-sdk';
import { anthropic } from 'loopgate/anthropic';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { asker } from './asking.mjs';
import { chat, event, messages, responses } from './dialects.mjs';

const MB = 1024 * 1024;
const CALLS_MAX = 1_000;
const tools = [{ type: 'function', function: { name: 'read_file', description: 'reads', parameters: { type: 'object', required: ['path'] } } }];
const args = (at) => JSON.stringify({ path: `f${at}` });
const call = (at) => ({ id: `c${at}`, name: 'read_file', args: args(at) });
const settings = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk-secret-key', model: 'm' };

/** Each adapter with the events of the call of this number. */
const ADAPTERS = {
  'openAiCompatible, with indexes': [openAiCompatible, (at) => event({ choices: [{ delta: { tool_calls: [{ index: at, id: `c${at}`, function: { name: 'read_file', arguments: args(at) } }] } }] })],
  'openAiCompatible, with one index': [openAiCompatible, (at) => event({ choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'read_file', arguments: args(at) } }] } }] })],
  'openAiCompatible, in one call': [openAiCompatible, (at) => event({ choices: [{ delta: { tool_calls: [{ index: 0, function: { ...(at === 0 && { name: 'read_file' }), arguments: args(at) } }] } }] })],
  openAiResponses: [openAiResponses, (at) => event({ type: 'response.output_item.done', output_index: at, item: { type: 'function_call', id: `f${at}`, call_id: `c${at}`, name: 'read_file', arguments: args(at) } })],
  anthropic: [
    anthropic,
    (at) =>
      event({ type: 'content_block_start', index: at, content_block: { type: 'tool_use', id: `c${at}`, name: 'read_file', input: {} } }) +
      event({ type: 'content_block_delta', index: at, delta: { type: 'input_json_delta', partial_json: args(at) } }) +
      event({ type: 'content_block_stop', index: at }),
  ],
};

for (const [name, [create, events]] of Object.entries(ADAPTERS)) {
  test(`${name}: the call after the last one that is read ends the answer`, { timeout: 60_000 }, async () => {
    let [next, bytes] = [0, 0];
    const body = new ReadableStream({
      pull(controller) {
        const piece = new TextEncoder().encode(events(next++));
        bytes += piece.length;
        controller.enqueue(piece);
      },
    }, { highWaterMark: 0 });
    const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const { tool_calls, finish_reason } = await asker(create({ ...settings, fetch })).ask({ tools });
    assert.deepEqual([tool_calls.length, finish_reason], [CALLS_MAX, 'tool_calls']);
    assert.deepEqual(tool_calls.map(({ function: { arguments: words } }) => words), Array.from({ length: CALLS_MAX }, (_, at) => args(at)));
    assert.ok(bytes < MB, `${bytes} bytes were read`);
  });
}

const whole = (dialect) => JSON.stringify(dialect.whole({ calls: Array.from({ length: 100_000 }, (_, at) => call(at)) }));
for (const [name, create, dialect] of [['openAiCompatible', openAiCompatible, chat], ['openAiResponses', openAiResponses, responses], ['anthropic', anthropic, messages]]) {
  test(`${name}: of 100,000 calls in one piece, the first ones are read`, { timeout: 60_000 }, async () => {
    const fetch = async () => new Response(whole(dialect), { headers: { 'content-type': 'application/json' } });
    const { tool_calls, finish_reason } = await asker(create({ ...settings, fetch })).ask({ tools });
    assert.deepEqual([tool_calls.length, finish_reason], [CALLS_MAX, 'tool_calls']);
  });
}

test('openAiCompatible: calls that opened and got no arguments before the last one are not made', async () => {
  const opened = Array.from({ length: CALLS_MAX + 1 }, (_, at) => event({ choices: [{ delta: { tool_calls: [{ index: at, id: `c${at}`, function: { name: 'read_file', arguments: '' } }] } }] }));
  const fetch = async () => new Response(opened.join(''));
  const { tool_calls, finish_reason } = await asker(openAiCompatible({ ...settings, fetch })).ask({ tools });
  assert.deepEqual([tool_calls, finish_reason], [undefined, 'error']);
});

for (const Mock of [MockLanguageModelV2, MockLanguageModelV4]) {
  test(`aiSdk: the call after the last one that is read ends the answer (${new Mock().specificationVersion})`, { timeout: 60_000 }, async () => {
    let next = 0;
    const parts = () => new ReadableStream({ pull: (controller) => controller.enqueue({ type: 'tool-call', toolCallId: `c${next}`, toolName: 'read_file', input: args(next++) }) }, { highWaterMark: 0 });
    const { tool_calls, finish_reason } = await asker(aiSdk(new Mock({ doStream: async () => ({ stream: parts() }) }))).ask({ tools });
    assert.deepEqual([tool_calls.length, finish_reason], [CALLS_MAX, 'tool_calls']);
    assert.ok(next < 2 * CALLS_MAX + 70_000, `${next} parts were read`);
  });
}

test('an id that many calls share is replaced in linear time', { timeout: 60_000 }, async () => {
  const events = Array.from({ length: CALLS_MAX }, (_, at) => event({ choices: [{ delta: { tool_calls: [{ index: at, id: 'same', function: { name: 'read_file', arguments: args(at) } }] } }] }));
  const fetch = async () => new Response(events.join(''));
  const { tool_calls } = await asker(openAiCompatible({ ...settings, fetch })).ask({ tools });
  assert.equal(new Set(tool_calls.map(({ id }) => id)).size, CALLS_MAX);
});

test('the arguments of a call in very many pieces take linear time', { timeout: 60_000 }, async () => {
  const text = JSON.stringify({ path: 'x'.repeat(2 * MB) });
  const at = (words, more) => event({ choices: [{ delta: { tool_calls: [{ index: 0, function: { ...more, arguments: words } }] } }] });
  const pieces = text.match(/[^]{1,16}/g).map((words) => at(words));
  const fetch = async () => new Response(at('', { name: 'read_file' }) + pieces.join(''));
  const { tool_calls: [only] } = await asker(openAiCompatible({ ...settings, fetch })).ask({ tools });
  assert.equal(only.function.arguments, text);
});
