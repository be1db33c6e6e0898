/** A server with OpenAI's chat completions, as far as the tests need one: keys, CORS, streamed tool calls. */
import { createServer } from 'node:http';

const HEADERS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/** Answers one request after the other with `turns`: lists of `{ name, args }`, and the reading of a message with `task`. Keeps the other requests. */
export async function serveChat({ key, turns, task }) {
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
    const turn = turns[requests.length - 1];
    // What a model that thinks for ever does: nothing.
    if (!turn) return;
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    for (const chunk of chunks(turn, requests.length)) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...chunk }] })}\n\n`);
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

/** A turn as servers stream it: words, then each call's name, then its arguments in two pieces. */
function* chunks(calls, turn) {
  yield { delta: { role: 'assistant', content: 'As you ' } };
  yield { delta: { content: 'wish.' } };
  for (const [index, { name, args }] of calls.entries()) {
    const text = JSON.stringify(args);
    yield { delta: { tool_calls: [{ index, id: `call-${turn}-${index}`, type: 'function', function: { name, arguments: '' } }] } };
    for (const piece of [text.slice(0, 5), text.slice(5)]) yield { delta: { tool_calls: [{ index, function: { arguments: piece } }] } };
  }
  yield { delta: {}, finish_reason: 'tool_calls' };
}
