import { overflow } from './generated-overflow.js';

const [FULL, UNLESS] = [overflow.full, overflow.unless].map((rows) => rows.map(toPattern));

/** Whether the words of a refusal say that the conversation is too long. A shorter one would pass, and a retry does not help. */
export function isOverflow(words: string): boolean {
  const text = plain(words);
  const fits = (pattern: RegExp) => pattern.test(text);
  return Boolean(FULL?.some(fits)) && !UNLESS?.some(fits);
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
