import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from 'ai-sdk-anthropic-v4';
import { runLoop } from 'loopgate';
import { aiSdk } from 'loopgate/ai-sdk';
import { anthropic } from 'loopgate/anthropic';
import { openAiCompatible } from 'loopgate/openai';
import { call, done, notes, project, summary, task } from './project.mjs';
import { published } from './published.mjs';

const MARK = 'marked-0d1e2f';
const KEY = `${MARK}-key`;

const chunk = (delta, finish_reason = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const stream = (...chunks) => new Response(chunks.join(''), { headers: { 'content-type': 'text/event-stream' } });
const pieces = (text) => [...text].map((letter) => chunk({ content: letter }));
const reasoned = (text) => [...text].map((letter) => chunk({ reasoning_content: letter }));
const calls = (name, args) => ({ tool_calls: [{ index: 0, id: 'a', function: { name, arguments: JSON.stringify(args) } }] });

for (const [what, answer] of [
  ['a refusal', () => Response.json({ error: { message: `no such key: ${KEY}` } }, { status: 401 })],
  ['a refusal that is text', () => new Response(`Bearer ${KEY} is wrong`, { status: 403 })],
  ['a refusal where its text is cut', () => new Response('x'.repeat(985) + KEY, { status: 401 })],
  ['an answer that is not JSON where its text is cut', () => new Response('x'.repeat(187) + KEY)],
  ['the request of an error of fetch', () => { throw Object.assign(new Error('Invalid'), { request: { headers: new Map([['authorization', [KEY]]]) } }); }],
  ['several errors of fetch', () => { throw new AggregateError([new Error(KEY)], 'all failed'); }],
  ['a rate limit', () => Response.json({ error: { message: KEY } }, { status: 429, headers: { 'retry-after': '3600' } })],
  ['an answer that is not JSON', () => new Response(`<p>${KEY}</p>`)],
  ['an error in a stream', () => stream(`data: ${JSON.stringify({ error: { message: KEY, code: 400 } })}\n\n`)],
  ['streamed text', () => stream(...pieces(`your key is ${KEY}, `), ...reasoned(`hm, ${KEY}`), chunk({}, 'stop'))],
  ['a tool call', () => stream(chunk(calls('write_file', { path: 'a.txt', content: `a\n${KEY}` }), 'tool_calls'))],
  ['the name of a tool', () => stream(chunk(calls(KEY, {}), 'tool_calls'))],
  ['fields of the service', () => Response.json({ choices: [{ message: { content: 'x', [KEY]: KEY }, finish_reason: 'stop' }] })],
  ['an exception of fetch', () => { throw new TypeError(`cannot send ${KEY}`, { cause: new Error(KEY) }); }],
]) {
  test(`a key that a server returns in ${what} is in no event, error or stored file`, async () => {
    const { host, fs } = await project();
    let sent = '';
    const model = openAiCompatible({ baseUrl: 'http://a/v1', apiKey: KEY, model: 'm', fetch: async (_, { headers }) => ((sent = headers.authorization), answer()) });
    const { all, seen } = await published({ host, fs }, { model });
    assert.equal(sent, `Bearer ${KEY}`, 'the server gets the key');
    assert.ok(seen.length > 0 && !all.includes(MARK), all.slice(all.indexOf(MARK) - 200, all.indexOf(MARK) + 50));
  });
}

for (const [what, options] of [
  ['a key with a line break', { apiKey: `${KEY}\n${MARK}-second` }],
  ['a header with a line break', { headers: { 'x-api-key': `${KEY}\nx` } }],
  ['the password of the address', { baseUrl: `http://user:${KEY}@localhost:1/v1` }],
  ['the encoded password of the address', { baseUrl: `http://user:${KEY}%2F1@localhost:1/v1` }],
  ['the query of the address', { baseUrl: `http://[/v1?key=${KEY}` }],
]) {
  test(`${what} is in no event, error or stored file`, async () => {
    const { host, fs } = await project();
    const model = openAiCompatible({ baseUrl: 'http://localhost:1/v1', model: 'm', ...options });
    const { all, end } = await published({ host, fs }, { model, limits: { maxWallMs: 500 } });
    assert.ok(end.error instanceof Error);
    assert.ok(!all.includes(MARK), all.slice(all.indexOf(MARK) - 200, all.indexOf(MARK) + 50));
  });
}

test('the values of headers with ordinary texts stay in events, and the values of any other header do not', async () => {
  const headers = { 'anthropic-version': '2023-06-01', 'x-title': 'Notes of all', accept: 'application/json', 'x-tenant': `${MARK} tenant`, 'x-workspace': `${MARK}-workspace` };
  const said = Object.values(headers).join(' | ');
  const { host, fs } = await project();
  const model = openAiCompatible({ baseUrl: 'http://a/v1', model: 'm', headers, fetch: async () => stream(chunk({ content: said }), chunk({}, 'stop')) });
  const { all } = await published({ host, fs }, { model });
  assert.ok(all.includes('2023-06-01 | Notes of all | application/json | [redacted] | [redacted]'));
  assert.ok(!all.includes(MARK));
});

test("the host's secrets stay in the user's files and in messages to the model, and are nowhere else", async () => {
  const turns = [
    { text: `I use ${KEY}`, ...call('write_file', { path: 'src/config.js', content: `export const key = '${KEY}';` }) },
    call('read_file', { path: 'src/config.js' }),
    ...notes.slice(0, 1),
    summary,
    done,
  ];
  const { host, fs, read, model } = await project({ turns, files: { '.env': `KEY=${KEY}` } });
  const { all, end } = await published({ host, fs }, { secrets: [KEY] });
  assert.equal(end.result.success, true, end.result.message);
  assert.equal(read('src/config.js'), `export const key = '${KEY}';`);
  assert.ok(JSON.stringify(model.requests).includes(KEY), 'the model reads what the file has');
  assert.ok(!all.includes(MARK));
});

test('keys that look like the keys of common services are taken out', async () => {
  const key = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
  const { host, fs, read } = await project({ turns: [call('write_file', { path: '.npmrc', content: key }), ...notes] });
  const { all, end } = await published({ host, fs });
  assert.equal(end.result.success, true, end.result.message);
  assert.equal(read('.npmrc'), key);
  assert.ok(!all.includes(key));
});

test('a secret that is too short, or not a string, is refused', async () => {
  const { host } = await project();
  for (const [secrets, words] of [[['short'], /`secrets\[0\]` has fewer than 8 characters/], [[7], /`secrets\[0\]` must be a string/], ['abcdefgh', /`secrets` must be an array/]]) {
    assert.throws(() => runLoop({ ...host, work: task(), secrets }), (error) => error.code === 'invalid-argument' && words.test(error.message));
  }
});

/** Runs of the other adapters against a server that returns the key in all that it says. */
const messages = (event) => `data: ${JSON.stringify(event)}\n\n`;
const said = (answer) => async (_, { headers }) => {
  assert.ok(JSON.stringify([...new Headers(headers)]).includes(KEY), 'the server gets the key');
  return answer();
};
for (const [adapter, connect] of [
  ['anthropic', (fetch) => anthropic({ apiKey: KEY, model: 'm', fetch })],
  ['aiSdk', (fetch) => aiSdk(createAnthropic({ apiKey: KEY, fetch })('m'))],
]) {
  for (const [what, answer] of [
    ['a refusal', () => Response.json({ type: 'error', error: { type: 'authentication_error', message: `no such key: ${KEY}` }, request_id: KEY }, { status: 401, headers: { 'request-id': KEY } })],
    ['an exception of fetch', () => { throw new TypeError(`cannot send ${KEY}`, { cause: new Error(KEY) }); }],
    ['an answer that is not JSON', () => new Response(`<p>${KEY}</p>`)],
    ['an error in a stream', () => stream(messages({ type: 'error', error: { type: 'invalid_request_error', message: KEY } }))],
    ['streamed text', () =>
      stream(
        messages({ type: 'message_start', message: { id: 'a', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } } }),
        messages({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        ...[...`your key is ${KEY}, `].map((text) => messages({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
        messages({ type: 'content_block_stop', index: 0 }),
        messages({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
        messages({ type: 'message_stop' }),
      )],
  ]) {
    test(`a key that a server returns to ${adapter} in ${what} is in no event, error or stored file`, async () => {
      const { host, fs } = await project();
      const { all, seen } = await published({ host, fs }, { model: connect(said(answer)) });
      assert.ok(seen.length > 0 && !all.includes(MARK), all.slice(all.indexOf(MARK) - 200, all.indexOf(MARK) + 50));
    });
  }
}
