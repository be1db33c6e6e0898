import { overflow } from './generated-overflow.js';

const [FULL, UNLESS, ANSWER] = [overflow.full, overflow.unless, overflow.answer].map((rows) => rows.map(toPattern));

/** Whether the words of a refusal say that the conversation is too long. A shorter one would pass, and a retry does not help. */
export function isOverflow(words: string): boolean {
  const text = plain(words);
  const fits = (pattern: RegExp) => pattern.test(text);
  return Boolean(FULL?.some(fits) || (countsTooMany(text) && !ANSWER?.some(fits))) && !UNLESS?.some(fits);
}

/** As `counts_too_many` in `src/agent/context/overflow.rs`. */
function countsTooMany(text: string): boolean {
  const words = new Set(text.match(/[a-z]+/g));
  const has = (list: string[]) => list.some((word) => words.has(word));
  const numbers = new Set((text.match(/[\d,]+/g) ?? []).map((run) => run.replaceAll(',', '')).filter((run) => run.length >= 3));
  return numbers.size >= 2 && has(['token', 'tokens']) && has(overflow.prompt) && has(overflow.limit);
}

/** Whether the words of a refusal say that one request is larger than what is allowed in a minute, so that no wait helps. */
export function isOverLimit(words: string): boolean {
  const text = plain(words);
  if (text.includes('required for long context')) return true;
  if (!/\b(tokens|tpm|token)\b/.test(text)) return false;
  if (text.includes('request too large')) return true;
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replaceAll(',', ''));
  return number(/\brequested:? (?:about )?([\d,]+)/) > number(/\blimit:? ([\d,]+)/);
}

/** As `plain` in `src/agent/context/overflow.rs`. */
function plain(words: string): string {
  return words.toLowerCase().replaceAll(/["'`]/g, '').replaceAll(/[\s_-]+/g, ' ');
}

/** A row of the table: `*` stands for up to 100 characters. */
function toPattern(row: string): RegExp {
  return new RegExp(row.split(' * ').map((part) => part.replaceAll(/[^\w ]/g, '\\$&')).join('[^]{0,100}?'));
}
