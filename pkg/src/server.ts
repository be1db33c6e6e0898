import { wrong } from './arguments.js';
import { startOf, textOf } from './body.js';
import { property } from './own.js';
import type { Secrets } from './secrets.js';
import { ServerError, statusOfRefusal } from './server-error.js';

/**
 * The address of an endpoint. Users paste the base with and without its last parts. `ending` is what may be there, `path` what must be.
 */
export function addressOf(baseUrl: string, ending: RegExp, path: string, example: string): URL {
  const url = baseUrl === '' ? null : parsed(baseUrl);
  if (!url) throw wrong(`\`baseUrl\` is ${JSON.stringify(baseUrl)}: use an address such as ${example}`);
  url.pathname = url.pathname.replace(/\/+$/, '').replace(ending, path);
  return url;
}

function parsed(address: string): URL | null {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    return null;
  }
}

/** An answer that is not streamed. */
export async function jsonOf(response: Response, secrets: Secrets, onBytes: () => void): Promise<unknown> {
  const text = await textOf(response, onBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const start = secrets.redact(text.trim()).slice(0, 200);
    throw new Error(`the model's server answered ${response.status} with something other than JSON: check its address. The answer starts with: ${start || '(nothing)'}`, { cause });
  }
}

/** The error of a call that the server refuses, with the server's words and the id of the request, if it gives one. */
export async function refusal(response: Response, secrets: Secrets): Promise<ServerError> {
  const text = await startOf(response).catch(() => '');
  let detail = text;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
    const error: unknown = property(answer, 'error');
    detail = [property(error, 'message'), error, property(answer, 'message')].find((value) => typeof value === 'string') ?? text;
  } catch {
    // Not JSON: use the text.
  }
  const words = secrets.redact(detail).slice(0, 1000) || response.statusText;
  const message = `the model's server answered ${response.status}: ${words}${requestId(response, answer, secrets)}`;
  return new ServerError(message, statusOfRefusal(response.status, property(answer, 'error')), retryAfter(response.headers));
}

/** The id of a request, for the words of an error. */
export function requestId(response: Response, answer: unknown, secrets: Secrets): string {
  const id: unknown = response.headers.get('request-id') ?? response.headers.get('x-request-id') ?? property(answer, 'request_id');
  return typeof id === 'string' && id !== '' ? ` (request ${secrets.redact(id).slice(0, 100)})` : '';
}

/** In seconds. The header has seconds or a date. */
export function retryAfter(headers: Headers): number | undefined {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && Number.isFinite(Number(ms))) return Number(ms) / 1000;
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number.isFinite(Number(value)) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
