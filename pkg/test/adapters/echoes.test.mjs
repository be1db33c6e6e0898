// Runs over each adapter against a server that returns the headers and the address of the request in all that it says.
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
import { parsed, project, task } from '../project.mjs';
import { published } from '../published.mjs';
import { chat, messages, responses } from './dialects.mjs';
import { json, serve, startStream } from './server.mjs';

const MARK = 'marked-0d1e2f';
const apiKey = `${MARK}-key`;
/** One whose name says that it is a secret, and one whose name does not. */
const headers = { 'x-api-token': `${MARK}-token`, 'x-tenant': `${MARK} tenant` };
const settings = { apiKey, headers };
const QUERY = `key=${MARK}-query`;

const SDK = {
  v2: { openai: openai2, anthropic: anthropic2, compatible: compatible2 },
  v3: { openai: openai3, anthropic: anthropic3, compatible: compatible3 },
  v4: { openai: openai4, anthropic: anthropic4, compatible: compatible4 },
};

const ADAPTERS = [
  ['anthropic', messages, (address) => anthropic({ ...settings, baseUrl: `${address}?${QUERY}`, model: 'm' })],
  ['openAiResponses', responses, (address) => openAiResponses({ ...settings, baseUrl: `${address}?${QUERY}`, model: 'm' })],
  ['openAiCompatible', chat, (address) => openAiCompatible({ ...settings, baseUrl: `${address}?${QUERY}`, model: 'm' })],
  ...Object.entries(SDK).flatMap(([version, { openai, anthropic: claude, compatible }]) => [
    [`aiSdk, Anthropic, ${version}`, messages, (address) => aiSdk(claude.createAnthropic({ ...settings, baseURL: `${address}/v1` })('m'))],
    [`aiSdk, OpenAI's Responses API, ${version}`, responses, (address) => aiSdk(openai.createOpenAI({ ...settings, baseURL: address }).responses('m'))],
    [`aiSdk, OpenAI's chat completions, ${version}`, chat, (address) => aiSdk(openai.createOpenAI({ ...settings, baseURL: address }).chat('m'))],
    [`aiSdk, compatible, ${version}`, chat, (address) => aiSdk(compatible.createOpenAICompatible({ name: 'local', ...settings, baseURL: address, queryParams: { key: `${MARK}-query` } })('m'))],
    [`aiSdk, with headers of its own, ${version}`, messages, (address) => aiSdk(claude.createAnthropic({ apiKey, baseURL: `${address}/v1` })('m'), { headers })],
  ]),
];

const usage = { input: 9, output: 4 };

/** What the server says, with the echo in it. */
const ECHOES = {
  'a refusal': (response, { dialect, echo, headers }) => json(response, 401, dialect.refusal({ message: echo, code: echo, type: echo }), { 'x-echo': headers, 'request-id': `${MARK}-key`, 'retry-after': headers }),
  'a refusal that is text': (response, { echo }) => response.writeHead(403).end(echo),
  'a rate limit': (response, { dialect, echo, at }) => json(response, 429, dialect.refusal({ message: echo }), { 'retry-after-ms': at > 2 ? '99000000' : '1' }),
  'an answer that is no JSON': (response, { echo }) => response.writeHead(200, { 'content-type': 'application/json' }).end(`<p>${echo}</p>`),
  'the type of an answer': (response, { headers }) => response.writeHead(200, { 'content-type': `text/html; ${headers}` }).end('<p>'),
  'another JSON': (response, { echo }) => json(response, 200, { [echo]: echo, error: undefined }),
  'the target of a redirect': (response, { headers }) => response.writeHead(307, { location: `http://127.0.0.1:1/${encodeURIComponent(headers)}` }).end(),
  'an error in a stream': (response, { dialect, echo }) => streamed(response, dialect, [dialect.stream({ text: 'x', usage })[0], dialect.failure({ message: echo, code: 'invalid_request_error', type: 'invalid_request_error' })]),
  'a text and thoughts': (response, { dialect, echo }) => streamed(response, dialect, dialect.stream({ text: echo, reasoning: echo, usage })),
  'a text that is cut': (response, { dialect, echo }) => streamed(response, dialect, dialect.stream({ text: echo, usage }).slice(0, -2)),
  'a call': (response, { dialect, echo }) => streamed(response, dialect, dialect.stream({ calls: [{ id: 'call_1', name: 'write_file', args: JSON.stringify({ path: 'a.txt', content: echo }) }], usage })),
  'the path of a call': (response, { dialect, headers }) => streamed(response, dialect, dialect.stream({ calls: [{ id: 'call_1', name: 'read_file', args: JSON.stringify({ path: headers }) }], usage })),
  'the name and the id of a call': (response, { dialect, headers }) => streamed(response, dialect, dialect.stream({ calls: [{ id: headers, name: headers, args: '{}' }], usage })),
};

const streamed = (response, dialect, events) => (startStream(response), response.end(events.join('') + dialect.end));

for (const [name, dialect, create] of ADAPTERS) {
  for (const [what, answer] of Object.entries(ECHOES)) {
    test(`${name}: no key and no header is in an event, a file of the harness or an error if the server returns them in ${what}`, { timeout: 60_000 }, async (t) => {
      const { address, asked } = await serve(t, (_, response, at) => {
        const { url, headers: sent } = asked[at];
        const values = [sent.authorization, sent['x-api-key'], sent['x-api-token'], sent['x-tenant']].filter(Boolean).join(' ');
        answer(response, { dialect, at, headers: values, echo: `${JSON.stringify(sent)} ${url}` });
      });
      const { host, fs } = await project();
      const { all, seen, end } = await published({ host, fs }, { model: create(address), work: { ...task(), parsed }, limits: { maxIterations: 2, maxToolCallsPerIteration: 3 }, config: { defaults: { maxRetries: what === 'a rate limit' ? 3 : 0 } } });
      const sent = JSON.stringify(asked[0]?.headers ?? {});
      for (const secret of [apiKey, ...Object.values(headers)]) assert.ok(sent.includes(secret), `the server gets ${secret}`);
      assert.ok(seen.length > 0 && (end.result || end.error));
      const at = all.indexOf(MARK);
      assert.ok(at < 0, all.slice(Math.max(0, at - 300), at + 100));
    });
  }
}
