/** A server with OpenAI's chat completions, as far as the tests need one: keys, CORS, streamed tool calls. */
import { createServer } from 'node:http';

const HEADERS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/**
 * Answers one request after the other with `turns`: lists of `{ name, args }`, and the reading of a message with `task`. Keeps the
 * other requests. With `signed`, the first call of each turn has a signature, as Gemini's do, and a request that does not bring it
 * back verbatim is refused.
 */
export async function serveChat({ key, turns, task, signed = false }) {
  const requests = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, HEADERS).end();
    let body = '';
    for await (const piece of request) body += piece;
    if (request.headers.authorization !== `Bearer ${key}`) {
      return response.writeHead(401, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: 'Incorrect API key provided' } }));
    }
    // What takes the user's message apart: the rules do so where a model gives no answer.
    if (JSON.parse(body).response_format) {
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
      return response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: task ? JSON.stringify(task) : '' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
    }
    requests.push({ path: request.url, ...JSON.parse(body) });
    const wrong = signed && requests.at(-1).messages.flatMap(({ tool_calls: calls = [] }) => calls).find(({ id, extra_content: extra }) => JSON.stringify(extra) !== JSON.stringify(signature(id)));
    if (wrong) {
      const error = { code: 400, message: `Function call is missing a thought_signature in functionCall parts: ${wrong.id}`, status: 'INVALID_ARGUMENT' };
      return response.writeHead(400, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    }
    const turn = turns[requests.length - 1];
    // What a model that thinks for ever does: nothing.
    if (!turn) return;
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    for (const chunk of chunks(turn, requests.length, signed)) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...chunk }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  return {
    address: `http://localhost:${server.address().port}/v1`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What Gemini sends with the first call of a turn; the others have none. */
function signature(id) {
  return id.endsWith('-0') ? { google: { thought_signature: `${btoa(`thought of ${id}`)}+/é==` } } : undefined;
}

/** A turn as servers stream it: words, then each call's name, then its arguments in two pieces. */
function* chunks(calls, turn, signed) {
  yield { delta: { role: 'assistant', content: 'As you ' } };
  yield { delta: { content: 'wish.' } };
  for (const [index, { name, args }] of calls.entries()) {
    const text = JSON.stringify(args);
    const id = `call-${turn}-${index}`;
    yield { delta: { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' }, ...(signed && { extra_content: signature(id) }) }] } };
    for (const piece of [text.slice(0, 5), text.slice(5)]) yield { delta: { tool_calls: [{ index, function: { arguments: piece } }] } };
  }
  yield { delta: {}, finish_reason: 'tool_calls' };
}
