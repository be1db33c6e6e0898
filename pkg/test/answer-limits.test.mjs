import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnfinishedRun, runLoop } from 'loopgate';
import { openAiCompatible } from 'loopgate/openai';
import { parsed, project, task } from './project.mjs';

const MB = 1024 * 1024;
const request = { role: 'builder', messages: [{ role: 'user', content: 'hi' }], tools: [] };
const encoder = new TextEncoder();

/** Asks a server whose answer has this body; the number of bytes that were taken from it, and whether it was cancelled. */
function serve(pieces, { status = 200, type = 'text/event-stream', headers = {} } = {}) {
  const taken = { bytes: 0, cancelled: false };
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) return controller.close();
      const bytes = typeof value === 'string' ? encoder.encode(value) : value;
      taken.bytes += bytes.length;
      controller.enqueue(bytes);
    },
    cancel() {
      taken.cancelled = true;
    },
  }, { highWaterMark: 0 });
  const fetch = async () => new Response(body, { status, headers: { 'content-type': type, ...headers } });
  const model = openAiCompatible({ baseUrl: 'http://a/v1', model: 'm', fetch });
  return { taken, answer: model(request, { signal: new AbortController().signal, onDelta() {} }) };
}

function* forever(piece) {
  const bytes = encoder.encode(piece);
  for (;;) yield bytes;
}

const delta = (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

for (const [what, pieces, type, limit] of [
  ['line', forever('x'.repeat(64 * 1024)), 'text/event-stream', 8 * MB],
  ['answer of many lines', forever(delta('x'.repeat(64 * 1024))), 'text/event-stream', 32 * MB],
  ['answer of comments', forever(`: ${'x'.repeat(64 * 1024)}\n`), 'text/event-stream', 32 * MB],
  ['event of many data lines', forever(`data: ${'x'.repeat(64 * 1024)}\n`), 'text/event-stream', 32 * MB],
  ['answer as JSON', forever(' '.repeat(64 * 1024)), 'application/json', 32 * MB],
]) {
  test(`an endless ${what} is refused and cancelled`, async () => {
    const { taken, answer } = serve(pieces, { type });
    await assert.rejects(answer, (error) => error.status === undefined && /sent more than (8|32) MB in one (line|answer)/.test(error.message));
    assert.ok(taken.cancelled && taken.bytes <= limit + MB, `${taken.bytes} bytes were read`);
  });
}

test('of an endless refusal only the start is read', async () => {
  const { taken, answer } = serve(forever('no entry. '), { status: 403, type: 'text/plain' });
  await assert.rejects(answer, (error) => error.status === 403 && error.message.length < 1200 && error.message.includes('no entry'));
  assert.ok(taken.cancelled && taken.bytes < MB, `${taken.bytes} bytes were read`);
});

test('a long line in small pieces takes linear time', { timeout: 120_000 }, async () => {
  const text = 'x'.repeat(7 * MB);
  const whole = encoder.encode(delta(text) + 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n');
  function* pieces() {
    for (let at = 0; at < whole.length; at += 64) yield whole.subarray(at, at + 64);
  }
  assert.equal((await serve(pieces()).answer).content, text);
});

test('line ends and characters may be cut anywhere', async () => {
  const events = ['data: {"choices":[{"delta":{"content":"Hé🍓"}}]}', 'data: {"choices":[{"delta":{"content":"llo"},"finish_reason":"stop"}]}'];
  for (const end of ['\n', '\r', '\r\n']) {
    for (const size of [1, 2, 3, 1000]) {
      const bytes = encoder.encode(events.join(end + end) + end);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
      assert.equal((await serve(pieces).answer).content, 'Hé🍓llo', `${JSON.stringify(end)} in pieces of ${size}`);
    }
  }
});

test('a server that asks for a wait of an hour ends the run with its message', async () => {
  const { host } = await project();
  let asked = 0;
  const fetch = async () => ++asked && Response.json({ error: { message: 'quota exceeded' } }, { status: 503, headers: { 'retry-after': '3600' } });
  const model = openAiCompatible({ baseUrl: 'http://a/v1', model: 'm', fetch });
  const run = runLoop({ ...host, model, work: { ...task(), parsed } });
  await assert.rejects(run.result, (error) => error.code === 'model' && /quota exceeded.*a wait of 60 minutes: resume the run then/.test(error.message));
  assert.equal(asked, 1);
  assert.equal((await findUnfinishedRun(host)).runId, run.id);
});

test('a server that reports any number of tokens does not stop the page', async () => {
  const usage = { prompt_tokens: 1e19, completion_tokens: 1e19 };
  const { host } = await project();
  const fetch = async () => Response.json({ usage, choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] });
  const run = runLoop({ ...host, model: openAiCompatible({ baseUrl: 'http://a/v1', model: 'm', fetch }), work: { ...task(), parsed }, limits: { maxIterations: 3 } });
  assert.equal((await run.result).reason, 'max-iterations');
});

test('an answer with very many calls has a bounded number of results, and each has its event', async () => {
  const { host } = await project();
  const call = (_, index) => ({ id: `c${index}`, type: 'function', function: { name: 'unknown', arguments: '{}' } });
  const model = async ({ role }) => (role === 'parser' ? { content: null, finish_reason: 'stop' } : { content: null, finish_reason: 'tool_calls', tool_calls: Array.from({ length: 20_000 }, call) });
  const run = runLoop({ ...host, model, work: { ...task(), parsed }, limits: { maxIterations: 1 } });
  await run.result;
  const events = [];
  for await (const event of run) events.push(event);
  assert.equal(events.filter(({ type }) => type === 'tool-result').length, 1_000);
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, at) => at));
});
