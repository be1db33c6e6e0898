import { isOverflow, isOverLimit } from './overflow.js';
import { properties, property } from './own.js';

/** The model's server refused the call or failed. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(
    message: string,
    readonly status: number | undefined,
    /** Seconds. */
    readonly retryAfter?: number,
    /** What the model wrote, where the server could not read a call in it; empty if the server does not say. */
    readonly written?: string,
  ) {
    super(message);
  }
}

/** The status of what no wait changes, although services send it with 429. */
const QUOTA = 402;

/** Codes and types of errors with the HTTP status that they have outside of a stream. The first row that fits counts. */
const STATUSES: [RegExp, number][] = [
  [/insufficient_(quota|credits?|funds|balance)|billing|quota_exceeded|exceeded_current_quota|out_of_credits|no_credits|recharge|arrear/, QUOTA],
  [/(rate|request)_?limit|too_many_requests|resource_exhausted|throttl/, 429],
  [/overloaded|unavailable|slow_?down|capacity|not_?ready/, 503],
  [/time_?out|deadline_exceeded/, 504],
  [/authentication|unauthenticated|api_key|unauthorized/, 401],
  [/permission|forbidden/, 403],
  [/not_found|does_not_exist/, 404],
  [/too_large/, 413],
  [/^invalid|_invalid|context_length|exceed_context|content_policy|content_filter|unsupported|_violation/, 400],
  [/server_error|api_error|internal/, 500],
];

/** These are in the words of errors only where they say what is wrong. */
const IN_WORDS = STATUSES.filter(([, status]) => status !== 400 && status !== 413 && status !== 500);

/** How the core recognises that the conversation is too long. */
const OVERFLOW_CODE = 'context_length_exceeded';

/** Where services put the words of an error. */
const WORDS = ['message', 'error_message', 'error_msg', 'err_msg', 'errmsg', 'msg', 'detail', 'details', 'error_description', 'status_msg', 'reason', 'title', 'error'];

/** Where services put the error, if it is not all of the value. */
const INNER = ['error', 'errors', 'detail', 'message', 'base_resp', 'response'];

/** The words of an error in any of the shapes that services have; nothing if there are none. */
export function wordsOf(error: unknown, levels = 4): string | undefined {
  if (typeof error === 'string') return error.trim() === '' ? undefined : error;
  if (levels === 0 || typeof error !== 'object' || error === null) return undefined;
  if (Array.isArray(error)) return typeof error[0] === 'object' ? wordsOf(error[0], levels - 1) : undefined;
  const { loc, metadata } = properties(error, 'loc', 'metadata');
  for (const name of WORDS) {
    const value: unknown = property(error, name);
    if (typeof value !== 'string' || value.trim() === '') continue;
    // OpenRouter says only that a provider refused, and adds what the provider said.
    const raw: unknown = property(metadata, 'raw');
    const place = Array.isArray(loc) ? `${loc.join('.')}: ` : '';
    return place + value + (typeof raw === 'string' ? `: ${raw}` : '');
  }
  for (const name of INNER) {
    const words = wordsOf(property(error, name), levels - 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** The error that an event or an answer is or has, as far as it says so. */
export function errorIn(value: unknown, name?: string): unknown {
  const { error, errors, type, object, success, base_resp, status, error_code, __type: fault } = properties(value, 'error', 'errors', 'type', 'object', 'success', 'base_resp', 'status', 'error_code', '__type');
  if (error) return typeof error === 'object' || typeof error === 'string' ? error : value;
  if (Array.isArray(errors) && errors.length > 0) return errors[0];
  const says = [type, object, status, name].some((word) => word === 'error') || success === false || Number(error_code) > 0 || /Exception$/.test(String(fault));
  if (says) return value;
  return Number(property(base_resp, 'status_code')) > 0 ? base_resp : undefined;
}

/** The error that a server reports within an answer. */
export function reported(error: unknown): ServerError {
  const words = wordsOf(error) ?? JSON.stringify(error);
  const status = statusOf(error);
  return new ServerError(`the model's server failed: ${explained(words, status, error)}`, status, undefined, writtenIn(error));
}

/** What the model wrote, where a service (Groq) refuses an answer of the model because it cannot read a call in it. */
export function writtenIn(error: unknown): string | undefined {
  const { code, failed_generation: written } = properties(error, 'code', 'failed_generation');
  if (code !== 'tool_use_failed') return undefined;
  return typeof written === 'string' ? written : '';
}

/**
 * The HTTP status of an error within an answer, by which the core decides on a retry: the error's own number, the number of its code or
 * type, the number of its words, otherwise 500.
 */
export function statusOf(error: unknown): number {
  const { status, code, type } = properties(error, 'status', 'code', 'type');
  const names = [code, type, status, property(error, 'error_type'), property(error, 'object'), property(error, '__type')];
  const given = [status, code, property(error, 'status_code')].map(Number).find((number) => Number.isInteger(number) && number >= 400 && number <= 599);
  const named = statusOfNames(names);
  if (named === QUOTA) return named;
  const words = wordsOf(error) ?? '';
  if (isOverLimit(words)) return 413;
  if (given !== undefined || named !== undefined) return given ?? (named as number);
  return isOverflow(words) ? 400 : (statusOfWords(words) ?? 500);
}

/** The HTTP status that the words of an error have outside of a stream, if they say it. */
export function statusOfWords(words: string): number | undefined {
  const name = words.toLowerCase().replaceAll(/[\s-]+/g, '_');
  // A quota of a minute comes back.
  if (/per_minute|(try_again|retry)_(in|after)|wait_before/.test(name)) return 429;
  return IN_WORDS.find(([pattern]) => pattern.test(name))?.[1];
}

/** The seconds that the words of a rate limit name: `try again in 7m12.5s`, `retry after 45 seconds`. */
export function waitIn(words: string): number | undefined {
  const found = /\b(?:again|retry|wait)\D{1,20}(?:(\d+)\s?m(?!s)(?:in\w*)?\s*)?(?:(\d+(?:\.\d+)?)\s?(ms|s(?:ec\w*)?)\b)?/i.exec(words);
  const [, minutes, amount, unit] = found ?? [];
  if (minutes === undefined && amount === undefined) return undefined;
  return Number(minutes ?? 0) * 60 + Number(amount ?? 0) / (unit?.toLowerCase() === 'ms' ? 1000 : 1);
}

/** The HTTP status of a refusal, where its code says that it lasts longer than its status, or that a shorter request would pass. */
export function statusOfRefusal(status: number, error: unknown, words = ''): number {
  const { code, type } = properties(error, 'code', 'type');
  const said = statusOfNames([code, type]);
  const named = Number(code) === 429 && said !== QUOTA ? 429 : said;
  if (isOverLimit(words)) return status === 429 || named === 429 ? 413 : status;
  // Some services say with a code that they are busy, and with the status that nothing helps.
  if (![400, 403, 424, 429, 498].includes(status)) return status;
  if (status === 429) return named === QUOTA || (LASTING.test(words) && statusOfWords(words) === QUOTA) ? QUOTA : status;
  return named === 429 || named === 503 ? named : status;
}

/** Words of accounts without money. The words of a quota of a minute may name the pages of the same account. */
const LASTING = /insufficient (balance|funds|credit)|recharge|arrear|out of credits|suspended/i;

/** The words of a refusal, by which the core recognises that the conversation is too long. */
export function explained(words: string, status: number, error: unknown): string {
  const { code, type } = properties(error, 'code', 'type');
  const isRefused = status >= 400 && ![401, QUOTA, 403, 404, 429].includes(status);
  const is = status === 413 || isOverLimit(words) || isOverflow([words, code, type].join(' | '));
  return isRefused && is && !words.includes(OVERFLOW_CODE) ? `${words} (${OVERFLOW_CODE})`.trim() : words;
}

function statusOfNames(names: unknown[]): number | undefined {
  for (const name of names) {
    const found = typeof name === 'string' && STATUSES.find(([words]) => words.test(name.toLowerCase()));
    if (found) return found[1];
  }
  return undefined;
}
