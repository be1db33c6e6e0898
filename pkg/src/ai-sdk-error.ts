import { properties, property } from './own.js';
import { HEARTBEAT } from './read-answer.js';
import { ServerError, explained, statusOf, statusOfRefusal } from './server-error.js';
import { reasonOf, retryAfter, type Refusal } from './service.js';

const LENGTH = 1000;

/** The stream ended before the answer did, which makes the answer incomplete. */
export function isCut(thrown: unknown): boolean {
  const { name, statusCode } = properties(thrown, 'name', 'statusCode');
  if (statusCode >= 400) return false;
  return !isOfSdk(thrown) || isLost(thrown) || name === 'AI_JSONParseError';
}

/** An event that only keeps the connection open, which the SDK cannot read. */
export function isHeartbeat(thrown: unknown): boolean {
  const { name, text } = properties(thrown, 'name', 'text');
  return name === 'AI_JSONParseError' && typeof text === 'string' && HEARTBEAT.test(text.trim());
}

/** The stream ended as usual, but for a reason. */
export function isWithoutReason(thrown: unknown): boolean {
  return isOfSdk(thrown) && /without a finish/.test(String(property(thrown, 'message')));
}

/** What a service said to a request that it refused. */
export function refusalOf(thrown: unknown): Refusal {
  const { statusCode, message, responseBody } = properties(thrown, 'statusCode', 'message', 'responseBody');
  return { status: typeof statusCode === 'number' ? statusCode : undefined, text: `${String(message)}\n${typeof responseBody === 'string' ? responseBody : ''}` };
}

/** A call that failed at the connection, also after the status 200, but not one whose answer the SDK cannot read. */
function isLost(thrown: unknown): boolean {
  const { name, isRetryable, statusCode, cause } = properties(thrown, 'name', 'isRetryable', 'statusCode', 'cause');
  return name === 'AI_APICallError' && !(statusCode >= 400) && (isRetryable === true || (cause !== undefined && !isOfSdk(cause)));
}

function isOfSdk(thrown: unknown): boolean {
  return String(property(thrown, 'name')).startsWith('AI_');
}

/** What a model threw, without its requests, responses and causes, which have keys. `clean` takes keys out of texts, before they are cut. */
export function thrownError(thrown: unknown, clean: (text: string) => string): Error {
  const { name, message, statusCode, responseHeaders, responseBody, data, cause } = properties(thrown, 'name', 'message', 'statusCode', 'responseHeaders', 'responseBody', 'data', 'cause');
  if (statusCode >= 400) {
    // The SDK's own message is only the status if it does not know the form of the refusal.
    const { detail, answer, error = answer } = reasonOf(typeof responseBody === 'string' ? responseBody : asText(data));
    // Anthropic's provider gives the first error of a stream this status, whatever it is, and adds only the error.
    const answered: number = statusCode === 500 && error === answer ? statusOf(error) : statusCode;
    const status = statusOfRefusal(answered, error, detail);
    const words = explained(clean(detail.trim() || String(message)).slice(0, LENGTH), status, error);
    return new ServerError(`the model's server answered ${answered}: ${words}`, status, retryAfter(toHeaders(responseHeaders)));
  }
  const isUnreadable = name === 'AI_APICallError' && statusCode !== undefined && !isLost(thrown);
  const text = String(message ?? thrown);
  const words = clean(isUnreadable ? `the model's server answered ${statusCode} with what its provider cannot read: check its address. ${text}` : text).slice(0, LENGTH);
  const code: unknown = property(thrown, 'code') ?? property(cause, 'code') ?? (isLost(thrown) ? 'NetworkError' : undefined);
  return Object.assign(new Error(words), { ...(typeof name === 'string' && { name }), ...(typeof code === 'string' && { code }) });
}

/** The error of a stream: an exception, or what the service wrote, as a text or an object. */
export function streamedError(error: unknown, clean: (text: string) => string): Error {
  if (property(error, 'statusCode') >= 400) return thrownError(error, clean);
  // The provider does not know the form, and adds what the service wrote.
  const value: unknown = property(error, 'name') === 'AI_TypeValidationError' ? property(error, 'value') : undefined;
  const said: unknown = property(value, 'type') === 'error' || property(value, 'error') ? value : error;
  const inner: unknown = property(said, 'error') ?? said;
  const message: unknown = property(inner, 'message') ?? inner;
  const words = clean(typeof message === 'string' ? message : String(JSON.stringify(message)));
  const status = statusOf(inner);
  return new ServerError(`the model's server failed: ${explained(words.slice(0, LENGTH), status, inner)}`, status);
}

/** What an error has as data may be anything. */
function asText(data: unknown): string {
  try {
    return JSON.stringify(data) ?? '';
  } catch {
    return '';
  }
}

function toHeaders(headers: unknown): Headers {
  const pairs = Object.entries(Object(headers)).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return new Headers(pairs.filter(([name]) => /^retry-after/i.test(name)));
}
