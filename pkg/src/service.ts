import { withAbilities, type Abilities } from './abilities.js';
import { wrong } from './arguments.js';
import { bytesOf, startOf, textOf } from './body.js';
import { withNames } from './names.js';
import { bare, properties, property } from './own.js';
import type { Secrets } from './secrets.js';
import { ServerError, explained, statusOf, statusOfRefusal } from './server-error.js';
import { readEvents } from './sse.js';
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
  /** The answer has what came before, if it goes on in another response. */
  body(request: ModelRequest, answer: A): object;
  /** Leaves out from then on what the server refused. `false` if the error names nothing that can be left out. */
  adapts(error: ServerError, request: ModelRequest): boolean;
  answer(onDelta: (delta: ModelDelta) => void): A;
}

/** An answer, assembled from the events of a stream, or from a complete answer. */
export interface Answer {
  /** `true` if the answer is complete. */
  addEvent(event: unknown): boolean;
  addWhole(answer: unknown): void;
  /** `true` if the service paused. From then on, another response continues the answer. */
  resumes?(): boolean;
  /** With the finish reason `error` if the answer is not complete. */
  finish(): ModelResponse;
}

/** How often a service may pause one answer. Each time, the conversation is sent and paid again. */
const PAUSES = 20;

/** A `ModelPort` for a service. No error has a secret. */
export function portFor<A extends Answer>({ url, headers, send, secrets, ...abilities }: Connection, protocol: Protocol<A>): ModelPort {
  /** How often something was left out. Calls may run at once. */
  let adapted = 0;
  const complete: ModelPort = async (given, context) => {
    const { signal, onDelta } = properties(context, 'signal', 'onDelta');
    const request = withNames(given);
    // Checked per call, so that an IDE can create the port before the user has filled in the settings.
    const address = url().href;
    const all: Record<string, string> = bare({ 'content-type': 'application/json', ...headers });
    for (const [name, value] of Object.entries(all)) checkHeader(name, value);
    const answer = protocol.answer(onDelta);
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

    let pauses = 0;
    do {
      signal.throwIfAborted();
      if (pauses++ > PAUSES) throw new Error(`the model's server paused one answer more than ${PAUSES} times: limit the use of its own tools`);
      let response = await post();
      while (!response.ok) {
        if (isRedirect(response)) throw redirected(response);
        const error = await refusal(response, secrets);
        // Another call may have left it out since.
        if (sent === adapted) {
          if (!protocol.adapts(error, request)) throw error;
          adapted += 1;
        }
        response = await post();
      }
      try {
        if (response.headers.get('content-type')?.toLowerCase().includes('text/event-stream') && response.body) {
          await readStream(response.body, answer, onBytes, signal);
        } else {
          answer.addWhole(await jsonOf(response, secrets, onBytes));
        }
      } catch (thrown) {
        throw thrown instanceof ServerError ? withRequest(thrown, response) : thrown;
      }
    } while (answer.resumes?.());
    // Some servers do not say which model answered. Without an id, the call has no price of its own.
    return { ...(typeof asked === 'string' && asked !== '' && { model: asked }), ...answer.finish() };
  };
  const port: ModelPort = async (request, context) => {
    try {
      return await complete(request, context);
    } catch (thrown) {
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

async function readStream(body: ReadableStream<Uint8Array>, answer: Answer, onBytes: () => void, signal: AbortSignal): Promise<void> {
  let isComplete = false;
  try {
    for await (const data of readEvents(bytesOf(body, onBytes, () => isComplete))) {
      isComplete = data === '[DONE]' || answer.addEvent(JSON.parse(data));
      if (isComplete) break;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof ServerError) throw thrown;
    // The stream broke off, which the answer shows.
  }
}

/** The address of an endpoint. Users paste it with and without the last part. */
export function addressOf(baseUrl: string, endpoint: string): URL {
  const url = baseUrl === '' || PORT_ALONE.test(baseUrl) ? null : parsed(baseUrl);
  if (!url) throw wrong(`\`baseUrl\` is ${JSON.stringify(baseUrl)}: use an address such as http://localhost:11434/v1`);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(endpoint) ? path : path + endpoint;
  return url;
}

/** Without a scheme, the name of the host would be one. */
const PORT_ALONE = /^[\w.-]+:\d/;

function parsed(address: string): URL | null {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    return null;
  }
}

/** The error that a server reports within an answer. */
export function reported(error: unknown): ServerError {
  const message: unknown = property(error, 'message');
  const words = [message, error].find((value) => typeof value === 'string' && value !== '') ?? JSON.stringify(error);
  const status = statusOf(error);
  return new ServerError(`the model's server failed: ${explained(String(words), status, error)}`, status);
}

/** The usage that a service reports; `undefined` without numbers of tokens. */
export function usageOf(counts: Record<keyof Omit<Usage, 'estimated'>, unknown>): Usage | undefined {
  if (typeof counts.inputTokens !== 'number') return undefined;
  const given = Object.entries(counts).filter(([, count]) => typeof count === 'number');
  return { outputTokens: 0, ...Object.fromEntries(given) } as Usage;
}

/** For calls without an id, or with that of another one; unique over a conversation. */
export function newId(): string {
  return `call_${++unnamedCalls}`;
}

let unnamedCalls = 0;

/** Wordings of servers for an unknown request field. */
export const UNKNOWN_FIELD = /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|forbidden|not permitted|not allowed|additional propert/i;

async function jsonOf(response: Response, secrets: Secrets, onBytes: () => void): Promise<unknown> {
  const text = await textOf(response, onBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const clean = secrets.redact(text);
    const message = `the model's server answered ${response.status} with something other than JSON: check its address. The answer starts with: ${clean.trim().slice(0, 200) || '(nothing)'}`;
    // The cause has the start of the text, which may be a part of a secret.
    throw new Error(message, clean === text ? { cause } : {});
  }
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Followed, a redirect would send the key and the conversation to any server. Browsers do not show where it leads. */
function redirected({ headers, status }: Response): ServerError {
  const location = headers.get('location')?.replace(/[?#].*/, '');
  return new ServerError(`the model's server redirects to ${location ?? 'another address'}: use the address to which it redirects as \`baseUrl\``, status || undefined);
}

async function refusal(response: Response, secrets: Secrets): Promise<ServerError> {
  const { detail, answer, error } = reasonOf(await startOf(response).catch(() => ''));
  const words = explained(secrets.redact(detail).slice(0, 1000), response.status, error);
  const message = `the model's server answered ${response.status}: ${words || response.statusText}`;
  return withRequest(new ServerError(message, statusOfRefusal(response.status, error), retryAfter(response.headers)), response, answer);
}

/** What the text of a refusal says. */
export function reasonOf(text: string): { detail: string; answer?: unknown; error?: unknown } {
  try {
    const answer: unknown = JSON.parse(text);
    const error: unknown = property(answer, 'error');
    const detail = [property(error, 'message'), error, property(answer, 'message')].find((value) => typeof value === 'string') ?? text;
    // OpenRouter says only that a provider refused, and adds what the provider said.
    const raw: unknown = property(property(error, 'metadata'), 'raw');
    return { detail: typeof raw === 'string' ? `${detail}: ${raw}` : detail, answer, error };
  } catch {
    // Not JSON: use the text.
    return { detail: text };
  }
}

/** The error with the service's id of the request, by which its operators find it. */
function withRequest(error: ServerError, { headers }: Response, answer?: unknown): ServerError {
  const id: unknown = headers.get('request-id') ?? headers.get('x-request-id') ?? property(answer, 'request_id');
  if (typeof id !== 'string' || !/^[\w.-]{1,100}$/.test(id)) return error;
  return new ServerError(`${error.message} (request ${id})`, error.status, error.retryAfter);
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
