import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { amountFrom, choiceFrom, endpointOf, textsFrom, missingOf, nameOf, PROVIDERS, SCRIPT } = await load('model/providers.ts');
const { connect, explainModelError, judged, listedModels, listModels, listRequest, testConnection, whyNoList } = await load('model/server.ts');

const provider = (id) => PROVIDERS.find((provider) => provider.id === id);
const endpoint = (id, more = {}) => ({ ...endpointOf({ provider: id, settings: {} }, {}), ...more });

test('each provider has its own id and name, and those with a server an example', () => {
  for (const key of ['id', 'name']) assert.equal(new Set(PROVIDERS.map((provider) => provider[key])).size, PROVIDERS.length);
  for (const { api, example } of PROVIDERS) assert.equal(example !== '', api !== 'script');
});

for (const [what, id, more, field] of [
  ['nothing for the script', 'scripted', {}, undefined],
  ['the address of another server', 'other', {}, 'baseUrl'],
  ['an address that is none', 'other', { baseUrl: 'localhost:1234' }, 'baseUrl'],
  ['an address without a password', 'other', { baseUrl: 'https://user:secret@example.com/v1', model: 'a' }, 'baseUrl'],
  ['the key of a service', 'openai', { model: 'a' }, 'apiKey'],
  ['no key of a server that adds it', 'openai', { baseUrl: 'https://example.com/v1', model: 'a' }, undefined],
  ['the name of the model', 'ollama', {}, 'model'],
  ['no key of a local server', 'ollama', { model: 'a' }, undefined],
  ['both prices', 'ollama', { model: 'a', outputPerMillion: 2 }, 'inputPerMillion'],
  ['prices for a limit in dollars', 'ollama', { model: 'a', maxCostUsd: 1 }, 'inputPerMillion'],
  ['no prices of a service that reports costs', 'openrouter', { model: 'a', apiKey: 'key', maxCostUsd: 1 }, undefined],
]) {
  test(`a run requires ${what}`, () => assert.equal(missingOf(endpoint(id, more))?.field, field));
}

test('an endpoint starts with the address of its provider, and has no key of another one', () => {
  const keys = { openai: ' of OpenAI ' };
  assert.deepEqual(endpointOf({ provider: 'anthropic', settings: {} }, keys), { provider: provider('anthropic'), baseUrl: 'https://api.anthropic.com/v1', model: '', apiKey: '' });
  const settings = { openai: { baseUrl: ' https://example.com/v1 ', model: ' gpt-5 ', maxCostUsd: 1 } };
  const expected = { provider: provider('openai'), baseUrl: 'https://example.com/v1', model: 'gpt-5', apiKey: 'of OpenAI', maxCostUsd: 1 };
  assert.deepEqual(endpointOf({ provider: 'openai', settings }, keys), expected);
  assert.equal(nameOf(expected), 'gpt-5 (OpenAI)');
  assert.equal(nameOf(endpoint('openai')), 'OpenAI');
});

test('a stored choice is restored, and what is not valid is left out', () => {
  const choice = { provider: 'ollama', settings: { ollama: { baseUrl: 'http://localhost:1/v1', model: 'qwen3', contextTokens: 8000, inputPerMillion: 0, outputPerMillion: 0 } } };
  assert.deepEqual(choiceFrom(JSON.stringify(choice)), choice);
  const damaged = { provider: 'gone', settings: { gone: { model: 'a' }, openai: { model: 5, contextTokens: -1, maxCostUsd: 0, apiKey: 'secret' }, ollama: null } };
  assert.deepEqual(choiceFrom(JSON.stringify(damaged)), { provider: SCRIPT.id, settings: { openai: { baseUrl: '', model: '' }, ollama: { baseUrl: '', model: '' } } });
  for (const text of [null, '', '{', '[]', '1', 'null']) assert.deepEqual(choiceFrom(text), { provider: SCRIPT.id, settings: {} });
  assert.deepEqual(textsFrom('{"openai":"key","ollama":1}'), { openai: 'key' });
});

test('only prices can be 0', () => {
  assert.deepEqual([['inputPerMillion', 0], ['outputPerMillion', 0.5], ['contextTokens', 0], ['maxCostUsd', 0], ['maxCostUsd', NaN], ['contextTokens', -1]].map(([name, value]) => amountFrom(name, value)), [0, 0.5, undefined, undefined, undefined, undefined]);
});

test('the models are listed where the calls go, with the headers of the service', () => {
  for (const path of ['', '/', '/chat/completions', '/responses']) {
    assert.deepEqual(listRequest(endpoint('openai', { baseUrl: `https://example.com/v1${path}`, apiKey: 'key' })), { url: 'https://example.com/v1/models', headers: { authorization: 'Bearer key' } });
  }
  assert.deepEqual(listRequest(endpoint('ollama')), { url: 'http://localhost:11434/v1/models', headers: {} });
  for (const path of ['', '/v1', '/v1/messages']) {
    const { url, headers } = listRequest(endpoint('anthropic', { baseUrl: `https://example.com${path}`, apiKey: 'key' }));
    assert.equal(url, 'https://example.com/v1/models?limit=1000');
    assert.deepEqual([headers['x-api-key'], Object.keys(headers).length], ['key', 3]);
  }
});

test('a list of models has their sizes and prices, and no models of other kinds', () => {
  const data = [
    { id: 'a', context_length: 1000, pricing: { prompt: '0.0000025', completion: '0.00001' } },
    { id: 'a' },
    { id: 'b', max_model_len: 2000, pricing: { prompt: '-1', completion: '-1' } },
    { id: 'text-embedding-3' },
    { id: 5 },
    null,
  ];
  assert.deepEqual(listedModels({ data }), [{ id: 'a' }, { id: 'b', contextTokens: 2000 }]);
  assert.deepEqual(listedModels({ data: data.slice(0, 1) }), [{ id: 'a', contextTokens: 1000, inputPerMillion: 2.5, outputPerMillion: 10 }]);
  assert.deepEqual(listedModels({ models: [{ name: 'c' }] }), [{ id: 'c' }]);
  for (const answer of [null, 'text', { data: 5 }, {}]) assert.deepEqual(listedModels(answer), []);
});

test('the test of a connection judges whether the model calls tools', () => {
  const call = { id: '1', type: 'function', function: { name: 'connection_test', arguments: '{}' } };
  for (const [answer, tone] of [
    [{ tool_calls: [call], finish_reason: 'tool_calls' }, 'good'],
    [{ finish_reason: 'stop' }, 'warn'],
    [{ finish_reason: 'length' }, 'warn'],
    [{ finish_reason: 'error' }, 'bad'],
  ]) assert.equal(judged(answer, 'a').tone, tone);
});

for (const [id, path, answer] of [
  ['openai', '/v1/responses', { output: [{ type: 'function_call', call_id: '1', name: 'connection_test', arguments: '{}' }], status: 'completed' }],
  ['anthropic', '/v1/messages', { content: [{ type: 'tool_use', id: '1', name: 'connection_test', input: {} }], stop_reason: 'tool_use' }],
  ['other', '/v1/chat/completions', { choices: [{ message: { tool_calls: [{ id: '1', type: 'function', function: { name: 'connection_test', arguments: '{}' } }] }, finish_reason: 'tool_calls' }] }],
]) {
  test(`the adapter of ${id} makes one call, with the key and the model`, async (context) => {
    const calls = [];
    context.mock.method(globalThis, 'fetch', async (url, { headers, body }) => {
      calls.push([String(url), JSON.parse(body).model, Object.values(headers).some((value) => value.endsWith('the-key'))]);
      return Response.json(answer);
    });
    const chosen = endpoint(id, { baseUrl: 'https://example.com/v1', apiKey: 'the-key', model: 'a', contextTokens: 1000 });
    assert.deepEqual(await testConnection(chosen, new AbortController().signal), { tone: 'good', text: 'a answers and calls tools.' });
    assert.deepEqual(calls, [[`https://example.com${path}`, 'a', true]]);
    assert.equal(connect(chosen).contextTokens, 1000);
  });
}

test('an aborted test has no result', async (context) => {
  context.mock.method(globalThis, 'fetch', () => assert.fail('no call'));
  await assert.rejects(testConnection(endpoint('ollama', { model: 'a' }), AbortSignal.abort()), { name: 'AbortError' });
});

const PAGE = 'https://demo.example/loopgate/';
const server = (id, baseUrl) => ({ provider: PROVIDERS.find((provider) => provider.id === id), baseUrl, model: 'qwen3' });
const unreachable = new TypeError('Failed to fetch');

test('a failed model call is explained with advice', () => {
  const status = (status) => Object.assign(new Error('text of the server'), { status });
  for (const [error, expected] of [
    [status(401), /refused the key \(401\).*text of the server/],
    [status(402), /no credit/],
    [status(403), /refused the key/],
    [status(404), /not found \(404\)/],
    [status(429), /Too many requests/],
    [status(422), /refused the request/],
    [status(503), /server failed \(503\)/],
    [unreachable, /Cannot reach localhost:1234.*CORS/],
    [new Error('wrapped', { cause: new TypeError('NetworkError when attempting to fetch resource.') }), /Cannot reach/],
    [new Error('wrapped', { cause: status(401) }), /refused the key/],
    [new Error('something else'), /^something else$/],
    ['no error at all', /^no error at all$/],
  ]) {
    assert.match(explainModelError(error, server('other', 'http://localhost:1234/v1'), PAGE), expected);
  }
});

test('the advice fits the provider and the page', () => {
  const local = 'http://localhost:11434/v1';
  assert.match(explainModelError(unreachable, server('ollama', local), PAGE), /OLLAMA_ORIGINS=https:\/\/demo\.example, .*asks for access/);
  assert.doesNotMatch(explainModelError(unreachable, server('ollama', local), 'http://localhost:4173/'), /asks for access/);
  assert.match(explainModelError(unreachable, server('lmstudio', 'http://localhost:1234/v1'), PAGE), /enable CORS/);
  assert.match(explainModelError(unreachable, server('ollama', 'http://192.168.1.5:11434/v1'), PAGE), /with https, or localhost/);
  assert.match(explainModelError(Object.assign(new Error(''), { status: 404 }), server('ollama', local), PAGE), /ollama pull qwen3$/);
});

test('without a list, the user gets what to do', async (context) => {
  for (const [status, expected] of [[404, /^The server has no list of models\./], [401, /^The models cannot be listed\. The server refused the key \(401\)/]]) {
    context.mock.method(globalThis, 'fetch', async () => new Response('no', { status }));
    const chosen = endpoint('other', { baseUrl: 'https://example.com/v1' });
    const error = await listModels(chosen, new AbortController().signal).catch((error) => error);
    assert.match(whyNoList(error, { ...chosen, model: '' }, PAGE), expected);
  }
});
