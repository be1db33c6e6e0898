import type { ModelResponse } from './types/model.js';

type Finish = ModelResponse['finish_reason'];

/** How an answer ended: the service said so, the body ended, or the connection broke. */
export type End = 'said' | 'body' | 'broken';

/** The spellings of services for what differs from the usual end. The first row that fits counts. */
const REASONS: [RegExp, Finish][] = [
  [/^(tool|function)_?(call|use)s?$|^requires_action$/, 'tool_calls'],
  [/error|fail|malformed|unexpected|cancel|abort|interrupt|insufficient|timeout/, 'error'],
  [/content_?filter|refus|safety|sensitive|recitation|prohibited|block|spii|moderation/, 'content_filter'],
  [/length|max_?[a-z_]*tokens|token_limit|context_window|incomplete|truncated/, 'length'],
];

/** What the service's word for the end means; nothing without a word. Any other word is an end like `stop`. */
export function toFinish(reason: unknown): Finish | undefined {
  if (typeof reason !== 'string' || reason.trim() === '') return undefined;
  const word = reason.trim().toLowerCase().replaceAll(/[-\s]/g, '_');
  return REASONS.find(([words]) => words.test(word))?.[1] ?? 'stop';
}

/**
 * Why an answer ended: what the service said, otherwise what the answer has. Without a word of the service, an answer with a call that
 * is not whole, or with nothing, is broken. So is any answer with pieces of a call that did not begin.
 */
export function finishOf(said: Finish | undefined, end: End, has: { calls: boolean; text: boolean; torn: boolean; lost?: boolean }): Finish {
  if (has.lost) return 'error';
  if (said !== undefined) return said === 'stop' && has.calls ? 'tool_calls' : said;
  if (end === 'broken' || has.torn) return 'error';
  if (has.calls) return 'tool_calls';
  return has.text ? 'stop' : 'error';
}
