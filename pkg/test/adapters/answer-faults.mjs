// Answers that are odd, empty or endless.
import assert from 'node:assert/strict';
import { asker, gist, gistOf, joined, kindOf, outcome, usageOf } from './asking.mjs';
import { json, serve, startStream } from './server.mjs';

const MB = 1024 * 1024;
/** An answer may have 32 MB; the rest is in buffers of the system. */
const READ_MAX = 45 * MB;

export function answerFaults({ check, create, dialect, streams }) {
  const start = async (t, handle, options = {}) => {
    const server = await serve(t, handle);
    return { ...server, ...asker(create({ baseUrl: server.address, ...options })) };
  };
  const sends = (answer) => ({ stream }, response) => {
    if (stream) {
      startStream(response);
      response.end(dialect.stream(answer).join('') + dialect.end);
    } else {
      json(response, 200, dialect.whole(answer));
    }
  };

  for (const stream of streams) {
    const how = stream ? 'streamed' : 'unstreamed';

    check(`calls that share an id get ids of their own, ${how}`, async (t) => {
      const calls = ['a', 'b', 'a'].map((path) => ({ id: 'call_same', name: 'read_file', args: JSON.stringify({ path }) }));
      const { ask, seen } = await start(t, sends({ calls }), { stream });
      const { tool_calls } = await ask();
      assert.deepEqual(tool_calls.map(({ function: { arguments: args } }) => args), calls.map(({ args }) => args));
      assert.equal(new Set(tool_calls.map(({ id }) => id)).size, 3);
      for (const { id, function: { arguments: args } } of tool_calls) assert.equal(joined(seen.deltas, 'tool', id), args);
    });

    for (const finish of ['length', 'content_filter']) {
      check(`an answer that ends with ${finish}, ${how}`, async (t) => {
        const { ask } = await start(t, sends({ text: 'half', finish }), { stream });
        assert.deepEqual(gist(await ask()), gistOf({ text: 'half', finish }));
      });
    }

    check(`an empty text is an answer, ${how}`, async (t) => {
      const { ask } = await start(t, sends({ text: '' }), { stream });
      assert.deepEqual(gist(await ask()), gistOf({}));
    });

    check(`a call without arguments has an empty object, ${how}`, async (t) => {
      const { ask } = await start(t, sends({ calls: [{ id: 'call_a', name: 'read_file', args: '' }] }), { stream });
      assert.deepEqual(gist(await ask()).calls, [{ id: 'call_a', type: 'function', name: 'read_file', args: {} }]);
    });

    check(`usage with parts, ${how}`, async (t) => {
      const usage = { input: 9, output: 4, cached: 5, stored: 3, reasoning: 1 };
      const { ask } = await start(t, sends({ text: 'x', usage }), { stream });
      assert.deepEqual((await ask()).usage, usageOf(usage, dialect));
    });

    check(`an error in place of an answer has the status of its code, ${how}`, async (t) => {
      let error;
      const { ask } = await start(t, (_, response) => json(response, 200, dialect.refusal(error)), { stream });
      for (const [codes, kind] of dialect.codes) {
        error = codes;
        await assert.rejects(ask(), (thrown) => kindOf(thrown) === kind, `${JSON.stringify(codes)} is ${kind}`);
      }
    });

    check(`JSON that is no answer, ${how}`, async (t) => {
      let body;
      const { ask } = await start(t, (_, response) => json(response, 200, body), { stream });
      for (body of ['{}', '[]', 'null', '"hi"', '{"hello":"world"}', '<html>']) await assert.rejects(ask(), (error) => kindOf(error) === 'lasting', body);
    });
  }

  check('every part of an unstreamed answer is a sign of activity', async (t) => {
    const parts = JSON.stringify(dialect.whole({ text: 'hi' })).match(/.{1,60}/g);
    const { ask, seen, until } = await start(t, async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (const [sent, part] of parts.entries()) {
        response.write(part);
        await until(({ active }) => active > sent);
      }
      response.end();
    });
    assert.equal((await ask()).content, 'hi');
    assert.equal(seen.active, parts.length);
  });

  check('a whole answer in place of a stream is taken', async (t) => {
    const answer = { text: 'hi', calls: [{ id: 'call_a', name: 'read_file', args: '{"path":"a"}' }] };
    const { ask, seen } = await start(t, (_, response) => json(response, 200, dialect.whole(answer)));
    assert.deepEqual(gist(await ask()), gistOf(answer));
    assert.equal(joined(seen.deltas, 'text'), 'hi');
    assert.equal(joined(seen.deltas, 'tool', 'call_a'), '{"path":"a"}');
  });

  for (const [what, text] of [
    ['without events', ''],
    ['of comments', ': a\n\n: b\n\n'],
    ['that is the JSON of an error', JSON.stringify(dialect.refusal({}))],
    ['with half of an event', 'data: {"cho'],
    ['of events that are not JSON', 'data: hello\n\n'],
  ]) {
    check(`a stream ${what} is an error that is retried`, async (t) => {
      const { ask } = await start(t, (_, response) => {
        startStream(response);
        response.end(text);
      });
      const { answer, error } = await outcome(ask());
      if (error) assert.notEqual(kindOf(error), 'lasting');
      else assert.deepEqual([answer.content, answer.tool_calls, answer.finish_reason], [null, undefined, 'error']);
    });
  }

  const text = dialect.stream({ text: 'x'.repeat(128 * 1024) }).find((event) => event.length > 32 * 1024);
  for (const [what, type, piece] of [
    ['of one line', 'text/event-stream', 'x'.repeat(64 * 1024)],
    ['of comments', 'text/event-stream', `: ${'x'.repeat(64 * 1024)}\n`],
    ['of events', 'text/event-stream', text],
    ['of JSON', 'application/json', ' '.repeat(64 * 1024)],
  ]) {
    check(`50 MB ${what} are refused, and not read`, async (t) => {
      let sent = 0;
      const { ask, closed } = await start(t, async (_, response) => {
        response.writeHead(200, { 'content-type': type });
        const close = new Promise((resolve) => response.once('close', resolve));
        for (; sent < 50 * MB && !response.destroyed; sent += piece.length) {
          if (!response.write(piece)) await Promise.race([new Promise((resolve) => response.once('drain', resolve)), close]);
        }
        response.end();
      });
      await assert.rejects(ask(), (error) => kindOf(error) === 'lasting');
      assert.deepEqual(await closed(), { isWhole: false });
      assert.ok(sent < READ_MAX, `${sent} bytes were sent`);
    });
  }
}
