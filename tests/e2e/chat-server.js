/** A test server for OpenAI's chat completions: keys, CORS, a list of models, streamed tool calls. */
import { createServer } from 'node:http';

const HEADERS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/**
 * Answers requests with `turns`, which are lists of `{ name, args }`, or with a function that returns the list for a request, also an asynchronous one, and requests for a format with `task`, which may be a function of its name, also an asynchronous one. Lists
 * `models`, and answers the test of the connection for those. Each turn has the `usage`. Records all other requests. With `signed`, the first call of each turn has a signature, as with Gemini, and a request without it is refused.
 */
export async function serveChat({ key, turns, task, models = [{ id: 'test-model' }], usage, signed = false }) {
  const requests = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, HEADERS).end();
    let body = '';
    for await (const piece of request) body += piece;
    if (request.headers.authorization !== `Bearer ${key}`) {
      return response.writeHead(401, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: 'Incorrect API key provided' } }));
    }
    if (request.method === 'GET') return response.writeHead(200, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify({ data: models }));
    const { model, tools, response_format: format } = JSON.parse(body);
    if (!models.some(({ id }) => id === model)) {
      return response.writeHead(404, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: `model "${model}" not found` } }));
    }
    if (tools?.[0].function.name === 'connection_test') {
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
      for (const chunk of chunks([{ name: 'connection_test', args: {} }], 0, false)) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...chunk }] })}\n\n`);
      return response.end('data: [DONE]\n\n');
    }
    // A request for a format: of the parser, whose rules parse the message without an answer, or of the studio.
    if (format) {
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
      return response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: task ? JSON.stringify(typeof task === 'function' ? await task(format.json_schema.name) : task) : '' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
    }
    const number = requests.push({ path: request.url, ...JSON.parse(body) });
    const wrong = signed && requests.at(-1).messages.flatMap(({ tool_calls: calls = [] }) => calls).find(({ id, extra_content: extra }) => JSON.stringify(extra) !== JSON.stringify(signature(id)));
    if (wrong) {
      const error = { code: 400, message: `Function call is missing a thought_signature in functionCall parts: ${wrong.id}`, status: 'INVALID_ARGUMENT' };
      return response.writeHead(400, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    }
    const turn = typeof turns === 'function' ? await turns(requests.at(-1)) : turns[number - 1];
    // A hanging model.
    if (!turn) return;
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    for (const chunk of chunks(turn, number, signed)) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...chunk }] })}\n\n`);
    if (usage) response.write(`data: ${JSON.stringify({ model, choices: [], usage })}\n\n`);
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

/** Gemini signs only the first call of a turn. */
function signature(id) {
  return id.endsWith('-0') ? { google: { thought_signature: `${btoa(`thought of ${id}`)}+/é==` } } : undefined;
}

/** A streamed turn: text, then for each call its name, then its arguments in two parts. */
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

export async function withModel(options, body) {
  const model = await serveChat(options);
  try {
    await body(model);
  } finally {
    await model.close();
  }
}
