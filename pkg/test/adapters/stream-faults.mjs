// Streams of a server that misbehaves.
import assert from 'node:assert/strict';
import { asker, gist, gistOf, joined, kindOf, outcome, usageOf } from './asking.mjs';
import { serve, signalled, startStream, write } from './server.mjs';

const ANSWER = {
  text: 'Héllo 🦀.',
  reasoning: 'Hm.',
  calls: [
    { id: 'call_a', name: 'read_file', args: '{"path":"é"}' },
    { id: 'call_b', name: 'write_file', args: '{"path":"b","content":"🦀\\n"}' },
  ],
  usage: { input: 12, output: 5, cached: 3, stored: 4, reasoning: 2 },
};

/** Connections join small parts, so that the client cuts them again. */
async function inSingleBytes(...args) {
  const { body, status, headers } = await fetch(...args);
  const split = (bytes, controller) => bytes.forEach((byte) => controller.enqueue(Uint8Array.of(byte)));
  return new Response(body.pipeThrough(new TransformStream({ transform: split })), { status, headers });
}

export function streamFaults({ check, create, dialect }) {
  const whole = dialect.stream(ANSWER).join('') + dialect.end;
  /** Starts a server that answers all requests so, and a model for it. */
  const start = async (t, handle) => {
    const server = await serve(t, handle);
    return { ...server, ...asker(create({ baseUrl: server.address })) };
  };
  const answersWith = (parts) => async (_, response) => {
    startStream(response);
    for (const part of parts) await write(response, part);
    response.end();
  };

  check('a streamed answer has everything: text, reasoning, calls and usage', async (t) => {
    const { ask, seen, asked } = await start(t, answersWith([whole]));
    const answer = await ask();
    assert.ok(asked[0].url.endsWith(dialect.path));
    assert.deepEqual(gist(answer), gistOf(ANSWER));
    assert.deepEqual(answer.usage, usageOf(ANSWER.usage, dialect));
    assert.equal(answer.model, 'm-1');
    assert.equal(joined(seen.deltas, 'text'), ANSWER.text);
    assert.equal(joined(seen.deltas, 'reasoning'), ANSWER.reasoning);
    for (const { id, args } of ANSWER.calls) assert.equal(joined(seen.deltas, 'tool', id), args);
  });

  /** What a body that ends between two events has: an answer as far as it came, each call whole. */
  const isBeginning = ({ text, calls, finish }) => {
    assert.equal(finish, calls.length > 0 ? 'tool_calls' : 'stop');
    assert.ok(text !== '' || calls.length > 0);
    assert.ok(ANSWER.text.startsWith(text) && (calls.length === 0 || text === ANSWER.text));
    assert.deepEqual(calls, gistOf(ANSWER).calls.slice(0, calls.length));
  };

  // A response in memory can be cut at every byte; a connection takes too long for that.
  for (const [how, step] of [['ended', 1], ['destroyed', 7]]) {
    check(`a stream that is ${how} at any byte is an error or ${how === 'ended' ? 'an answer without half a call' : 'the whole answer'}`, async (t) => {
      const bytes = Buffer.from(whole);
      let cut = 0;
      const ended = () => Promise.resolve(new Response(bytes.subarray(0, cut), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }));
      const destroyed = async (_, response) => {
        startStream(response);
        if (cut > 0) await write(response, bytes.subarray(0, cut));
        response.destroy();
      };
      const { ask } = how === 'ended' ? asker(create({ baseUrl: 'http://127.0.0.1:1', fetch: ended })) : await start(t, destroyed);
      let [complete, broken] = [0, 0];
      // From the end, so that the last one is the whole answer.
      for (cut = bytes.length % step; cut <= bytes.length; cut += step) {
        const { answer, error } = await outcome(ask());
        const isBroken = error || answer.finish_reason === 'error';
        if (error) {
          assert.notEqual(kindOf(error), 'lasting', `${error.stack} after ${cut} bytes`);
        } else if (isBroken) {
          assert.equal(answer.tool_calls, undefined, `${cut} bytes`);
          assert.equal(answer.providerData, undefined, `${cut} bytes`);
          assert.ok(ANSWER.text.startsWith(answer.content ?? ''), `${answer.content} after ${cut} bytes`);
        } else if (complete === 0 && how === 'ended' && gist(answer).calls.length < ANSWER.calls.length) {
          isBeginning(gist(answer));
        } else {
          assert.deepEqual(gist(answer), gistOf(ANSWER), `${cut} bytes`);
          complete += 1;
        }
        broken += isBroken ? 1 : 0;
        if (how === 'destroyed') assert.equal(complete > 0, !isBroken, `complete after ${cut} bytes, as after fewer`);
      }
      assert.ok(complete > 0 && complete < bytes.length / 2 && broken > bytes.length / step / 3, `${complete} of ${bytes.length}, ${broken} broken`);
    });
  }

  for (const [what, text] of [
    ['with LF', whole],
    ['with CRLF', whole.replaceAll('\n', '\r\n')],
    ['with CRLF and several lines of data', whole.replaceAll('data: {', 'data: {\ndata: ').replaceAll('\n', '\r\n')],
    ['with CR', whole.replaceAll('\n', '\r')],
    ['with comments, ids and unknown fields', whole.replaceAll('data: ', ': a comment\nid: 7\nretry: 10\n:\nodd\ndata: ')],
    ['without spaces after the names of fields', whole.replaceAll('data: ', 'data:')],
    ['with comments between its events', whole.replaceAll('\n\n', '\n\n: still here\n\n')],
  ]) {
    for (const [how, fetch] of [['', undefined], [', in single bytes', inSingleBytes]]) {
      check(`a stream ${what} is read${how}`, async (t) => {
        const server = await serve(t, answersWith([text]));
        const { ask, seen } = asker(create({ baseUrl: server.address, fetch }));
        assert.deepEqual(gist(await ask()), gistOf(ANSWER));
        assert.equal(joined(seen.deltas, 'text'), ANSWER.text);
      });
    }
  }

  check('half a character waits for its other half', async (t) => {
    const [bytes, crab] = [Buffer.from(whole), Buffer.from('🦀')];
    const at = bytes.indexOf(crab) + 2;
    const { ask, seen, until } = await start(t, async (_, response) => {
      startStream(response);
      response.write(bytes.subarray(0, at));
      await until(({ active }) => active > 0);
      response.end(bytes.subarray(at));
    });
    assert.deepEqual(gist(await ask()), gistOf(ANSWER));
    assert.equal(joined(seen.deltas, 'text'), ANSWER.text);
  });

  check('every part is a sign of activity, also a comment', async (t) => {
    const parts = [': a comment\n\n', whole];
    const { ask, seen, until } = await start(t, async (_, response) => {
      startStream(response);
      for (const [sent, part] of parts.entries()) {
        response.write(part);
        await until(({ active }) => active > sent);
      }
      response.end();
    });
    await ask();
    assert.ok(seen.active >= parts.length);
  });

  check('unknown events and fields are passed over', async (t) => {
    const events = dialect.stream(ANSWER);
    const odd = 'event: odd\ndata: {"type":"response.odd","odd":{"a":[1]},"choices":[]}\n\n';
    const { ask } = await start(t, answersWith([events.flatMap((event) => [odd, event]).join(''), dialect.end]));
    assert.deepEqual(gist(await ask()), gistOf(ANSWER));
  });

  check('a stream whose connection stays open after its end is answered, and closed by the client', async (t) => {
    const { ask, closed } = await start(t, (_, response) => {
      startStream(response);
      response.write(whole);
    });
    assert.deepEqual(gist(await ask()), gistOf(ANSWER));
    await closed();
  });

  check('what follows the end of a stream does not count, and is not read forever', async (t) => {
    let sent = 0;
    const { ask, closed } = await start(t, async (_, response) => {
      startStream(response);
      response.write(whole);
      const late = dialect.stream({ text: 'late'.repeat(10_000) }).join('');
      for (; !response.destroyed; sent += late.length) await Promise.race([write(response, late), new Promise((resolve) => response.once('close', resolve))]);
    });
    assert.deepEqual(gist(await ask()), gistOf(ANSWER));
    await closed();
    assert.ok(sent < 20 * 1024 * 1024, `${sent} bytes were sent`);
  });

  check('a finished stream is read to its end', async (t) => {
    const answered = signalled();
    const { ask, closed, roundTrip } = await start(t, async (_, response) => {
      startStream(response);
      response.write(whole);
      await answered.arrived;
      response.end(': the rest\n\n');
    });
    await ask();
    await roundTrip();
    answered.send();
    assert.deepEqual(await closed(), { isWhole: true });
  });

  check('an abort in the middle of a stream closes the connection', async (t) => {
    const controller = new AbortController();
    const { ask, until, closed } = await start(t, async (_, response) => {
      startStream(response);
      response.write(dialect.stream(ANSWER).slice(0, -2).join(''));
      await until(({ deltas }) => deltas.length > 0);
      controller.abort();
    });
    await assert.rejects(ask({}, controller.signal), { name: 'AbortError' });
    assert.deepEqual(await closed(), { isWhole: false });
  });

  const refuse = (response) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.flushHeaders();
  };
  for (const [what, begin, hasHeaders] of [['before its headers', () => {}, false], ['after its headers', startStream, true], ['within a refusal', refuse, true]]) {
    check(`a server that is silent ${what} is left at an abort`, async (t) => {
      const controller = new AbortController();
      const abort = () => controller.abort();
      const server = await serve(t, (_, response) => {
        begin(response);
        if (!hasHeaders) abort();
      });
      const fetch = async (...args) => {
        const response = await globalThis.fetch(...args);
        setImmediate(abort);
        return response;
      };
      const { ask } = asker(create({ baseUrl: server.address, fetch }));
      await assert.rejects(ask({}, controller.signal), { name: 'AbortError' });
      assert.deepEqual(await server.closed(), { isWhole: false });
    });
  }

  check('an aborted signal sends nothing', async (t) => {
    const { ask, asked } = await start(t, answersWith([whole]));
    await assert.rejects(ask({}, AbortSignal.abort()), { name: 'AbortError' });
    assert.equal(asked.length, 0);
  });
}
