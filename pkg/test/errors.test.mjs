import assert from 'node:assert/strict';
import { test } from 'node:test';
import init, { LoopgateError, runLoop } from 'loopgate';

const holder = { runId: 'r', id: 'i', since: 3 };

test('an error survives postMessage as plain data', async () => {
  const error = new LoopgateError('no', { code: 'locked', retryable: true, path: 'a.ts', line: 2, column: 3, holder, cause: () => {} });
  const { port1, port2 } = new MessageChannel();
  const received = new Promise((resolve) => (port2.onmessage = ({ data }) => resolve(data)));
  port1.postMessage(error.toJSON());
  const copy = LoopgateError.fromJSON(await received);
  port1.close();
  assert.ok(copy instanceof LoopgateError && copy instanceof Error);
  const fields = ({ name, message, code, retryable, path, line, column, holder }) => ({ name, message, code, retryable, path, line, column, holder });
  assert.deepEqual(fields(copy), fields(error));
  assert.equal(copy.cause, undefined, 'the object of the host stays with the host');
});

test('JSON has only what the error has', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(new LoopgateError('no'))), { name: 'LoopgateError', message: 'no', code: 'internal', retryable: false });
  assert.deepEqual(Object.keys(LoopgateError.fromJSON(new LoopgateError('no').toJSON())), Object.keys(new LoopgateError('no')));
});

test('errors of options name no types of Rust', async () => {
  await init();
  const host = { dir: '/project', fs: {}, model: () => {} };
  for (const options of [
    { work: { kind: 'task', message: 5 } },
    { work: { kind: 'tusk' } },
    { work: {} },
    { work: { kind: 'spec', force: 'yes' } },
    { work: { kind: 'chunks', spec: 's', only: 'a' } },
    { work: { kind: 'task', message: 'm', parsed: { type: 'fresh', title: 't', requirements: [{ marker: 'ADD', description: 'd', count: -1 }], scope: [], parsedBy: 'model' } } },
    { work: { kind: 'task', message: 'm' }, plan: 'maybe' },
    { work: { kind: 'task', message: 'm' }, limits: { maxIterations: 'many' } },
    { work: undefined },
  ]) {
    assert.throws(() => runLoop({ ...host, ...options }), ({ code, message }) => {
      assert.equal(code, 'invalid-argument', message);
      assert.doesNotMatch(message, /\b[uif](8|16|32|64)\b|struct|enum|variant|invalid (type|value)|sequence|\bmap\b/);
      return true;
    });
  }
});
