// Servers that differ a little, rebuilt from public reports: bytes in, calls out, against every adapter that speaks the protocol.
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
import { anthropic } from 'loopgate/anthropic';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { asker, joined, outcome } from './asking.mjs';
import { cases as chat } from './servers/chat.mjs';
import { cases as messages } from './servers/messages.mjs';
import { cases as responses } from './servers/responses.mjs';

const apiKey = 'sk-secret-key';
const settings = (fetch) => ({ apiKey, fetch, baseURL: 'http://127.0.0.1:1/v1' });
const compatible = ({ createOpenAICompatible }) => (fetch) => aiSdk(createOpenAICompatible({ name: 'local', ...settings(fetch) })('m'));
const ofOpenAi = (api) => ({ createOpenAI }) => (fetch) => aiSdk(createOpenAI(settings(fetch))[api]('m'));
const ofAnthropic = ({ createAnthropic }) => (fetch) => aiSdk(createAnthropic(settings(fetch))('m'));

const PROTOCOLS = [
  [
    chat,
    [false, true].map((stream) => [`openAiCompatible, stream: ${stream}`, (fetch) => openAiCompatible({ baseUrl: 'http://127.0.0.1:1/v1', apiKey, model: 'm', fetch, stream })]),
    [compatible2, compatible3, compatible4].map(compatible),
  ],
  [
    responses,
    [false, true].map((stream) => [`openAiResponses, stream: ${stream}`, (fetch) => openAiResponses({ baseUrl: 'http://127.0.0.1:1/v1', apiKey, model: 'm', fetch, stream })]),
    [openai2, openai3, openai4].map(ofOpenAi('responses')),
  ],
  [messages, [['anthropic', (fetch) => anthropic({ baseUrl: 'http://127.0.0.1:1', apiKey, model: 'm', fetch })]], [anthropic2, anthropic3, anthropic4].map(ofAnthropic)],
];

const parameters = (...required) => ({ type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } }, required });
const tools = [['write_file', 'path', 'content'], ['read_file', 'path'], ['list_files']].map(([name, ...required]) => ({ type: 'function', function: { name, description: name, parameters: parameters(...required) } }));

/** A response with this body: at once, or in pieces of so many bytes. */
function respond(body, type, size) {
  const bytes = new TextEncoder().encode(body);
  const pieces = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
  return new Response(pieces, { headers: type === '' ? {} : { 'content-type': type } });
}

async function check(create, { body, type = 'text/event-stream', calls = [], raw, text = '', finish, broken, error: expected }, size) {
  const { ask, seen } = asker(create(async () => respond(body, type, size)));
  const { answer, error } = await outcome(ask({ tools }));
  if (expected) {
    assert.equal(error?.status, expected[0], JSON.stringify(answer ?? error.message));
    assert.ok(error.message.includes(expected[1]), error.message);
    return;
  }
  assert.ifError(error);
  const { content, tool_calls = [], finish_reason } = answer;
  if (broken) return assert.deepEqual([finish_reason, tool_calls, answer.providerData], ['error', [], undefined]);
  if (raw) return assert.deepEqual(tool_calls.map(({ function: named }) => [named.name, named.arguments]), raw);
  assert.deepEqual(tool_calls.map(({ function: named }) => [named.name, JSON.parse(named.arguments)]), calls);
  assert.deepEqual([content ?? '', finish_reason], [text, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')]);
  assert.equal(new Set(tool_calls.map(({ id }) => id)).size, calls.length);
  const shown = [...new Set(seen.deltas.filter((delta) => delta.type === 'tool').map(({ id }) => id))];
  assert.deepEqual(shown, tool_calls.map(({ id }) => id), 'the calls that are shown');
  for (const { id } of tool_calls) assert.notEqual(joined(seen.deltas, 'tool', id), undefined);
}

for (const [cases, adapters, ofSdk] of PROTOCOLS) {
  for (const [what, server] of Object.entries(cases)) {
    for (const [name, create] of adapters) {
      test(`${name}: ${what}`, async () => {
        for (const size of [Infinity, 1, 7]) await check(create, server, size);
      });
    }
    if (server.sdk) continue;
    test(`aiSdk: ${what}`, async () => {
      for (const create of ofSdk) await check(create, server, Infinity);
    });
  }
}
