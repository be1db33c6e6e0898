// A server of the tests' own: it answers as the test says, and misbehaves where the test wants it.
import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Starts a server for one test. `handle(body, response, at)` answers each request, the first one at 0; `asked` has the requests, and `closed(n)` waits until the
 * connection of request n is closed and returns whether its response was sent to its end.
 */
export async function serve(t, handle) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const closed = new Promise((resolve) => response.on('close', () => resolve({ isWhole: response.writableFinished })));
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.method === 'GET') return response.end();
    asked.push({ url: request.url, headers: request.headers, body: JSON.parse(text), response, closed });
    await handle(asked.at(-1).body, response, asked.length - 1);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${server.address().port}`;
  return {
    address,
    asked,
    closed: (at = 0) => asked[at].closed,
    /** Returns after what the client sent on other connections has arrived. */
    roundTrip: () => fetch(address).then((response) => response.text()),
  };
}

export function startStream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
}

/** Writes one part, which may be bytes, and returns when it is out. */
export const write = (response, part) => new Promise((resolve) => response.write(part, resolve));

export function json(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A promise that the test settles. */
export function signalled() {
  let send;
  const arrived = new Promise((resolve) => (send = resolve));
  return { arrived, send };
}
