import { properties, property } from './own.js';

/** The model's server refused the call or failed. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(
    message: string,
    readonly status: number | undefined,
    /** Seconds. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** The status of what no wait changes, although services send it with 429. */
const QUOTA = 402;

/** Codes and types of errors with the HTTP status that they have outside of a stream. The first row that fits counts. */
const STATUSES: [RegExp, number][] = [
  [/insufficient_(quota|credits|balance)|billing|quota_exceeded/, QUOTA],
  [/rate_?limit|too_many_requests|resource_exhausted|throttl/, 429],
  [/overloaded|unavailable|slow_down|capacity/, 503],
  [/time_?out|deadline_exceeded/, 504],
  [/authentication|unauthenticated|api_key|unauthorized/, 401],
  [/permission|forbidden/, 403],
  [/not_found|does_not_exist/, 404],
  [/too_large/, 413],
  [/^invalid|_invalid|context_length|exceed_context|content_policy|content_filter|unsupported|_violation/, 400],
  [/server_error|api_error|internal/, 500],
];

/** A shorter conversation helps, and a retry does not. */
const OVERFLOW = /context_length|exceed_context|context (length|window|size|limit)|maximum (context|prompt)|too long|too many tokens|input token count/i;

/** How the core recognises it. */
const OVERFLOW_CODE = 'context_length_exceeded';

/**
 * The HTTP status of an error within an answer, by which the core decides on a retry: the error's own number, that of its code or
 * type, otherwise 500.
 */
export function statusOf(error: unknown): number {
  const { status, code, type } = properties(error, 'status', 'code', 'type');
  const numbers = [status, code].map(Number);
  const given = numbers.find((number) => Number.isInteger(number) && number >= 400 && number <= 599);
  const named = statusOfNames(code, type, status);
  if (named === QUOTA) return named;
  return given ?? named ?? (OVERFLOW.test(String(property(error, 'message') ?? error)) ? 400 : 500);
}

/** The HTTP status of a refusal, where its code says that it lasts longer than its status. */
export function statusOfRefusal(status: number, error: unknown): number {
  const { code, type } = properties(error, 'code', 'type');
  return status === 429 && statusOfNames(code, type) === QUOTA ? QUOTA : status;
}

/** The words of a refusal, by which the core recognises that the conversation is too long. */
export function explained(words: string, status: number, error: unknown): string {
  const { code, type } = properties(error, 'code', 'type');
  const isOverflow = status >= 400 && status < 500 && status !== 429 && [words, code, type].some((text) => typeof text === 'string' && OVERFLOW.test(text));
  return isOverflow && !words.includes(OVERFLOW_CODE) ? `${words} (${OVERFLOW_CODE})`.trim() : words;
}

function statusOfNames(...names: unknown[]): number | undefined {
  for (const name of names) {
    const found = typeof name === 'string' && STATUSES.find(([words]) => words.test(name.toLowerCase()));
    if (found) return found[1];
  }
  return undefined;
}
