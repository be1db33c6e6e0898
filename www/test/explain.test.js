import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { explainModelError } = await load('model/explain.ts');
const { PROVIDERS } = await load('model/providers.ts');

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
