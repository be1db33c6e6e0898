// Errors of a server: refusals, errors within a stream, and secrets in them.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { runLoop } from 'loopgate';
import { parsed, project, task } from '../project.mjs';
import { KEY, asker, kindOf } from './asking.mjs';
import { json, serve, startStream } from './server.mjs';

/** The start of all secrets here: an error must not even have a part of one. */
const MARK = KEY.slice(0, 9);

export function errorFaults({ check, create, dialect }) {
  const start = async (t, handle, options = {}) => {
    const server = await serve(t, handle);
    return { ...server, ...asker(create({ baseUrl: server.address, ...options })) };
  };

  for (const [when, before] of [['as the first event', []], ['after a text', dialect.stream({ text: 'some text' }).slice(0, 3)]]) {
    check(`an error ${when} of a stream is retried like its HTTP counterpart`, async (t) => {
      let error;
      const { ask } = await start(t, (_, response) => {
        startStream(response);
        response.end(before.join('') + dialect.failure({ message: 'it broke', ...error }) + dialect.end);
      });
      for (const [codes, kind] of dialect.codes) {
        error = codes;
        await assert.rejects(ask(), (thrown) => kindOf(thrown) === kind && thrown.message.includes(codes.message ?? 'it broke'), `${JSON.stringify(codes)} is ${kind}`);
      }
    });
  }

  check('the core takes errors of a stream as these tests do', async (t) => {
    let error;
    const server = await serve(t, (_, response) => {
      startStream(response);
      response.end(dialect.failure({ message: 'it broke', ...error }));
    });
    const { host } = await project({ model: create({ baseUrl: server.address }) });
    for (const [codes, kind] of dialect.codes) {
      error = codes;
      let seen;
      const run = runLoop({ ...host, work: { ...task(), parsed } });
      run.result.catch(() => {});
      for await (const event of run) {
        if (event.type !== 'iteration-finished') continue;
        seen = event.fault.kind ?? 'lasting';
        run.abort('seen');
      }
      assert.equal(seen, kind, JSON.stringify(codes));
    }
  });

  check('a refusal has its reason, its status and the wait', async (t) => {
    let answer;
    const { ask } = await start(t, (_, response) => json(response, ...answer));
    for (const [status, headers, retryAfter] of [
      [429, { 'retry-after': '3' }, 3],
      [429, { 'retry-after-ms': '250' }, 0.25],
      [429, { 'retry-after': 'soon' }, undefined],
      [429, {}, undefined],
      [503, { 'retry-after': '4' }, 4],
      [529, { 'retry-after': '5' }, 5],
      [500, {}, undefined],
      [401, {}, undefined],
      [403, {}, undefined],
      [400, {}, undefined],
    ]) {
      answer = [status, dialect.refusal({ message: 'the reason' }), headers];
      await assert.rejects(ask(), (error) => {
        assert.deepEqual([error.status, error.retryAfter], [status, retryAfter]);
        return /the reason/.test(error.message);
      });
    }
    for (const [words, retryAfter] of [
      ['Limit reached. Please try again in 45s. Visit us.', 45],
      ['Please try again in 7m12.5s', 432.5],
      ['try again in 250ms', 0.25],
      ['Please retry after 20 seconds', 20],
      ['wait 2 minutes', 120],
      ['try again later', undefined],
      ['You sent 3 requests, wait before trying again', undefined],
    ]) {
      answer = [429, dialect.refusal({ message: words }), {}];
      await assert.rejects(ask(), (error) => error.retryAfter === retryAfter, words);
    }
    answer = [429, dialect.refusal({}), { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }];
    await assert.rejects(ask(), ({ retryAfter }) => retryAfter > 3000 && retryAfter <= 3600);
  });

  check('a quota that is used up is not retried', async (t) => {
    const [quota] = dialect.codes.find(([codes]) => JSON.stringify(codes).includes('quota')) ?? [];
    if (!quota) return t.skip('the service has no such error');
    const { ask } = await start(t, (_, response) => json(response, 429, dialect.refusal({ ...quota, message: 'no quota' })));
    await assert.rejects(ask(), (error) => kindOf(error) === 'lasting' && /no quota/.test(error.message));
  });

  for (const [what, body, words] of [['text', 'Bad gateway', /Bad gateway/], ['HTML', '<h1>Not found</h1>', /Not found/], ['nothing', '', /502/], ['JSON without an error', '["no"]', /no/]]) {
    check(`a refusal may be ${what}`, async (t) => {
      const { ask } = await start(t, (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end(body));
      await assert.rejects(ask(), (error) => error.status === 502 && words.test(error.message));
    });
  }

  check('a redirect is refused, and its target gets neither the key nor the conversation', async (t) => {
    const target = await serve(t, (_, response) => response.end());
    for (const status of [301, 302, 303, 307, 308]) {
      const { ask } = await start(t, (_, response) => response.writeHead(status, { location: `${target.address}/v2?key=${KEY}` }).end());
      await assert.rejects(ask(), (error) => error.status === status && kindOf(error) === 'lasting' && error.message.includes(`redirects to ${target.address}/v2: `));
    }
    assert.equal(target.asked.length, 0);
  });

  check('a redirect whose target a browser hides is refused, too', async () => {
    const { ask } = asker(create({ baseUrl: 'http://localhost', fetch: async () => Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } }) }));
    await assert.rejects(ask(), (error) => kindOf(error) === 'lasting' && /redirects to another address: /.test(error.message));
  });

  check('a server that nobody runs is an error that is retried', async (t) => {
    const { address } = await serve(t, () => {});
    const { ask } = asker(create({ baseUrl: address.replace(/:\d+$/, ':1') }));
    await assert.rejects(ask(), (error) => kindOf(error) === 'unavailable');
  });

  const HEADER = `${KEY}-header`;
  const QUERY = `${KEY}-query`;
  for (const secret of [KEY, HEADER, QUERY]) {
    for (const [what, respond] of [
      ['a refusal', (response) => json(response, 401, dialect.refusal({ message: `Incorrect API key provided: ${secret}`, code: secret }))],
      ['a refusal that is text', (response) => response.writeHead(403).end(`${secret} is wrong`)],
      ['a refusal where its text is cut', (response) => response.writeHead(401).end('x'.repeat(990) + secret)],
      ['a refusal whose shape is odd', (response) => json(response, 400, { error: { message: { of: [secret] } }, [secret]: secret })],
      ['an answer that is not JSON', (response) => response.writeHead(200).end(secret)],
      ['an answer that is not JSON where its text is cut', (response) => response.writeHead(200).end('x'.repeat(190) + secret)],
      ['an answer that is another JSON', (response) => json(response, 200, { [secret]: secret })],
      ['an error in place of an answer', (response) => json(response, 200, dialect.refusal({ message: secret, type: secret }))],
      ['an error in a stream', (response) => (startStream(response), response.end(dialect.failure({ message: `no: ${secret}`, code: secret })))],
    ]) {
      const which = { [KEY]: 'the key', [HEADER]: 'a header', [QUERY]: 'the query of the address' }[secret];
      check(`${which} in ${what} is not in the error`, async (t) => {
        const server = await serve(t, (_, response) => respond(response));
        const { ask } = asker(create({ baseUrl: server.address, headers: { 'x-api-token': HEADER }, query: `key=${QUERY}` }));
        await assert.rejects(ask(), (error) => {
          for (let at = error; at; at = at.cause) {
            const shown = [inspect(at, { depth: 9, showHidden: true }), String(at.stack), JSON.stringify(at)].join('\n');
            assert.ok(!shown.includes(MARK), shown);
          }
          return true;
        });
        assert.equal(server.asked[0].headers['x-api-token'], HEADER, 'the server gets it');
      });
    }
  }
}
