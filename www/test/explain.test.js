import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { explainModelError } = await load('model/explain.ts');

test('a failed call of the model says what to do', () => {
  const status = (status) => Object.assign(new Error('as the server put it'), { status });
  for (const [error, expected] of [
    [status(401), /refused the key \(401\).*as the server put it/],
    [status(403), /refused the key/],
    [status(404), /no such address or model/],
    [status(429), /slow down/],
    [status(422), /did not accept the request/],
    [status(503), /server failed \(503\)/],
    [new TypeError('Failed to fetch'), /^localhost:1234 cannot be reached/],
    [new Error('wrapped', { cause: new TypeError('NetworkError when attempting to fetch resource.') }), /cannot be reached/],
    [new Error('wrapped', { cause: status(401) }), /refused the key/],
    [new Error('something else'), /^something else$/],
    ['no error at all', /^no error at all$/],
  ]) {
    assert.match(explainModelError(error, 'http://localhost:1234/v1'), expected);
  }
});
