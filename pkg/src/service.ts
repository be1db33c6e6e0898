import { withAbilities, type Abilities } from './abilities.js';
import { wrong } from './arguments.js';
import { startOf } from './body.js';
import type { End } from './finish.js';
import { withNames } from './names.js';
import { bare, properties, property } from './own.js';
import { read } from './read-answer.js';
import type { Secrets } from './secrets.js';
import { ServerError, explained, statusOfRefusal, waitIn, wordsOf, writtenIn } from './server-error.js';
import { parsed } from './sse.js';
import type { ModelDelta, ModelPort, ModelRequest, ModelResponse, Usage } from './types/model.js';

/** Where a service is and what it is sent. */
export interface Connection extends Abilities {
  url(): URL;
  /** By names in lower case. */
  headers: Record<string, string>;
  send: typeof globalThis.fetch;
  secrets: Secrets;
}

/** An API of model services: the bodies of its requests and its answers. */
export interface Protocol<A extends Answer> {
  /** What an answer has that is one, for errors. */
  mark: string;
  /** The answer has what came before, if it goes on in another response. */
  body(request: ModelRequest, answer: A): object;
  /** Changes from then on what the server refused, and says what. Nothing if the refusal names nothing that can be changed without loss. */
  adapts(refusal: Refusal, request: ModelRequest): string | undefined;
  answer(request: ModelRequest, onDelta: (delta: ModelDelta) => void): A;
}

/** A refused request: the status, and all that the server said. */
export interface Refusal {
  status: number | undefined;
  text: string;
}

/** An answer, assembled from the events of a stream, or from a complete answer. */
export interface Answer {
  /** Takes an event or a complete answer: `true` if the answer is complete, nothing if it is none of the API's. */
  add(value: unknown, name?: string): boolean | undefined;
  /** `true` if the service paused. From then on, another response continues the answer. */
  resumes?(): boolean;
  /** The service said why it ended. */
  readonly isSaid: boolean;
  /** With the finish reason `error` if the answer is not complete. */
  finish(end: End): ModelResponse;
}

/** How often a service may pause one answer. Each time, the conversation is sent and paid again. */
const PAUSES = 20;

/** A `ModelPort` for a service. No error has a secret. */
export function portFor<A extends Answer>({ url, headers, send, secrets, ...abilities }: Connection, protocol: Protocol<A>): ModelPort {
  /** How often something was changed. Calls may run at once. */
  let adapted = 0;
  const complete: ModelPort = async (given, context) => {
    const { signal, onDelta } = properties(context, 'signal', 'onDelta');
    const request = withNames(given);
    // Checked per call, so that an IDE can create the port before the user has filled in the settings.
    const address = url().href;
    const all: Record<string, string> = bare({ 'content-type': 'application/json', ...headers });
    for (const [name, value] of Object.entries(all)) checkHeader(name, value);
    let hasShown = false;
    const show = (delta: ModelDelta) => {
      hasShown ||= delta.type !== 'activity';
      onDelta(delta);
    };
    let answer = protocol.answer(request, show);
    let sent = adapted;
    let asked: unknown;
    const post = () => {
      sent = adapted;
      const body = protocol.body(request, answer);
      asked = property(body, 'model');
      return send(address, bare({ method: 'POST', headers: all, body: JSON.stringify(body), signal, redirect: 'manual' as const }));
    };
    // Comments, usage and unknown fields have no delta of their own.
    const onBytes = () => onDelta({ type: 'activity' });

    /** Whether the server may take the request after a change that the refusal names. */
    const adapts = (refusal: Refusal, message: string): boolean => {
      // Another call may have changed it since.
      if (sent !== adapted) return true;
      const note = protocol.adapts(refusal, request);
      if (note === undefined) return false;
      onDelta({ type: 'note', text: `the model's server refused a request (${message}); ${note}` });
      adapted += 1;
      return true;
    };

    let end: End;
    for (let pauses = 1; ; pauses++) {
      signal.throwIfAborted();
      if (pauses > PAUSES) throw new Error(`the model's server paused one answer more than ${PAUSES} times: limit the use of its own tools`);
      let response = await post();
      while (!response.ok) {
        if (isRedirect(response)) throw redirected(response);
        const { error, text } = await refusal(response, secrets);
        if (!adapts({ status: error.status, text }, error.message)) throw error;
        response = await post();
      }
      try {
        end = await read(response, answer, protocol.mark, secrets, onBytes, signal);
      } catch (thrown) {
        if (!(thrown instanceof ServerError)) throw thrown;
        const error = withRequest(thrown, response);
        if (hasShown || !adapts({ status: error.status, text: error.message }, error.message)) throw error;
        // The refusal of a whole request came with the status 200.
        answer = protocol.answer(request, show);
        continue;
      }
      if (!answer.resumes?.()) break;
    }
    // Some servers do not say which model answered. Without an id, the call has no price of its own.
    return { ...(typeof asked === 'string' && asked !== '' && { model: asked }), ...answer.finish(end) };
  };
  const port: ModelPort = async (request, context) => {
    try {
      return await complete(request, context);
    } catch (thrown) {
      if (thrown instanceof ServerError && thrown.written !== undefined) return { content: thrown.written || null, finish_reason: thrown.written ? 'stop' : 'error' };
      // A refusal may be cut by the abort, too.
      property(context, 'signal').throwIfAborted();
      throw secrets.redactError(thrown);
    }
  };
  return secrets.attachTo(withAbilities(port, abilities));
}

/** The adapter's headers with the user's, which replace them. Names of headers may have any case. */
export function headersOf(ours: Record<string, string>, theirs: Record<string, string> | undefined): Record<string, string> {
  const given = Object.entries<unknown>(Object(theirs)).filter(([, value]) => value !== undefined && value !== null);
  return { ...ours, ...Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])) };
}

/** `fetch` would name only the place of the character. */
function checkHeader(name: string, value: string): void {
  const [found] = /[^\t\x20-\x7e\x80-\xff]/u.exec(String(value).trim()) ?? [];
  if (found === undefined) return;
  const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  throw wrong(`the header \`${name}\` has the character U+${code}, which no header can have: check the key, or \`headers\``);
}

/** The address of an endpoint. Users paste it with and without the last part. */
export function addressOf(baseUrl: string, endpoint: string): URL {
  const url = baseUrl === '' || PORT_ALONE.test(baseUrl) ? null : urlOf(baseUrl);
  if (!url) throw wrong(`\`baseUrl\` is ${JSON.stringify(baseUrl)}: use an address such as http://localhost:11434/v1`);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(endpoint) ? path : path + endpoint;
  return url;
}

/** Without a scheme, the name of the host would be one. */
const PORT_ALONE = /^[\w.-]+:\d/;

function urlOf(address: string): URL | null {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    return null;
  }
}

/** The usage that a service reports; `undefined` without numbers of tokens. */
export function usageOf(counts: Record<keyof Omit<Usage, 'estimated'>, unknown>): Usage | undefined {
  if (typeof counts.inputTokens !== 'number') return undefined;
  const given = Object.entries(counts).filter(([, count]) => typeof count === 'number');
  return { outputTokens: 0, ...Object.fromEntries(given) } as Usage;
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Followed, a redirect would send the key and the conversation to any server. Browsers do not show where it leads. */
function redirected({ headers, status }: Response): ServerError {
  const location = headers.get('location')?.replace(/[?#].*/, '');
  return new ServerError(`the model's server redirects to ${location ?? 'another address'}: use the address to which it redirects as \`baseUrl\``, status || undefined);
}

async function refusal(response: Response, secrets: Secrets): Promise<{ error: ServerError; text: string }> {
  const text = await startOf(response).catch(() => '');
  const { detail, answer, error } = reasonOf(text);
  const status = statusOfRefusal(response.status, error, detail);
  const words = explained(secrets.redact(detail).slice(0, 1000), status, error);
  const message = `the model's server answered ${response.status}: ${words || response.statusText}`;
  const failure = new ServerError(message, status, undefined, writtenIn(error));
  return { error: withRequest(failure, response, answer), text: answer === undefined ? text : `${detail}\n${withoutEchoes(answer)}` };
}

/** What the text of a refusal says. */
export function reasonOf(text: string): { detail: string; answer?: unknown; error?: unknown } {
  const found = parsed(text.replace(/^\s*data: ?(?=[{[])/, ''));
  // Not JSON: use the text.
  if (!found) return { detail: text };
  const answer: unknown = Array.isArray(found.value) && typeof found.value[0] === 'object' ? found.value[0] : found.value;
  const error: unknown = property(answer, 'error') ?? (wordsOf(answer) === undefined ? undefined : answer);
  return { detail: wordsOf(answer) ?? text, answer, error };
}

/** A refusal as text, without the parts of the request in it: the words of a conversation are no words of the server. */
function withoutEchoes(answer: unknown): string {
  return JSON.stringify(answer, (name, value) => (ECHOES.includes(name) ? undefined : value));
}

const ECHOES = ['input', 'body', 'ctx', 'failed_generation'];

/** The error with the wait that the service asks for, and its id of the request, by which its operators find it. */
function withRequest(error: ServerError, { headers }: Response, answer?: unknown): ServerError {
  const id: unknown = headers.get('request-id') ?? headers.get('x-request-id') ?? property(answer, 'request_id');
  const isId = typeof id === 'string' && /^[\w.-]{1,100}$/.test(id);
  const wait = error.retryAfter ?? retryAfter(headers) ?? (error.status === 429 ? waitIn(error.message) : undefined);
  return new ServerError(isId ? `${error.message} (request ${id})` : error.message, error.status, wait, error.written);
}

/** In seconds. The header has seconds or a date. */
export function retryAfter(headers: Headers): number | undefined {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && Number.isFinite(Number(ms))) return Math.max(0, Number(ms)) / 1000;
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number.isFinite(Number(value)) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
