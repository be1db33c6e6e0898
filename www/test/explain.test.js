import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { explainModelError } = await load('model/explain.ts');

test('a failed model call is explained with advice', () => {
  const status = (status) => Object.assign(new Error('text of the server'), { status });
  for (const [error, expected] of [
    [status(401), /refused the key \(401\).*text of the server/],
    [status(403), /refused the key/],
    [status(404), /not found \(404\)/],
    [status(429), /Too many requests/],
    [status(422), /refused the request/],
    [status(503), /server failed \(503\)/],
    [new TypeError('Failed to fetch'), /Cannot reach localhost:1234/],
    [new Error('wrapped', { cause: new TypeError('NetworkError when attempting to fetch resource.') }), /Cannot reach/],
    [new Error('wrapped', { cause: status(401) }), /refused the key/],
    [new Error('something else'), /^something else$/],
    ['no error at all', /^no error at all$/],
  ]) {
    assert.match(explainModelError(error, 'http://localhost:1234/v1'), expected);
  }
});
