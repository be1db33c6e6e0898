/** Numbers, sizes, costs, times and texts for people. Pure. */

/** A value whose fields may all be missing, as in the journal of another version. */
export type Partly<T> = T extends readonly (infer Item)[] ? Array<Partly<Item>> : T extends object ? { [Key in keyof T]?: Partly<T[Key]> | null } : T;
export type Maybe<T> = T | null | undefined;

const LONGEST = 120;
/** Of a longer text, the rest is not looked at. */
const READ = 2000;
/** The number of files that a line names. */
const NAMED = 3;

/** A text of a person, a model or a tool in one line, without a period at its end. Joiners stay: they are part of words and emoji. */
export function oneLine(text: Maybe<string>, longest = LONGEST): string {
  const line = (text ?? '').trimStart().slice(0, READ).replace(/`([^`]+)`/g, '“$1”').replace(/`/g, '').replace(/(?:[\s\p{Cc}]|(?![\u200C\u200D])\p{Cf})+/gu, ' ').trim().replace(/([^.])\.$/, '$1');
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('').trimEnd()}…` : line;
}

/** `: reason`; empty without one. */
export const because = (reason: Maybe<string>): string => after(': ', oneLine(reason));
/** The text with a mark before it; empty without a text. */
export const after = (mark: string, text: Maybe<string>): string => (text ? `${mark}${text}` : '');
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `1 file`, `2 files`. */
export const count = (number: Maybe<number>, noun: string): string => `${number ?? 0} ${noun}${number === 1 ? '' : 's'}`;
/** `Attempt 2`. */
export const numbered = (noun: string, number: Maybe<number>): string => `${noun}${number ? ` ${number}` : ''}`;

/** `a, b, c and 2 more`. */
export function named(names: Maybe<Array<Maybe<string>>>): string {
  const all = (names ?? []).map((name) => oneLine(name)).filter(Boolean);
  return all.length > NAMED ? `${all.slice(0, NAMED).join(', ')} and ${all.length - NAMED} more` : all.join(', ');
}

/** `950`, `28k`, `1.3M`. */
export function rounded(number: number): string {
  if (number < 1000) return String(Math.round(number));
  return number < 999_500 ? `${short(number / 1000)}k` : `${short(number / 1_000_000)}M`;
}

/** `$2`, `about $0.04`. */
export function dollars(amount: number, isEstimated = false): string {
  if (amount > 0 && amount < 0.005) return 'less than $0.01';
  return `${isEstimated ? 'about ' : ''}$${Number.isInteger(amount) ? amount : amount.toFixed(2)}`;
}

/** `400 ms`, `1.2 s`, `2 min 5 s`, `1 h 30 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${short(ms / 1000)} s`;
  return seconds < 3600 ? parts(seconds, 60, 'min', 's') : parts(Math.round(seconds / 60), 60, 'h', 'min');
}

function parts(number: number, size: number, large: string, small: string): string {
  const rest = number % size;
  return `${Math.floor(number / size)} ${large}${rest ? ` ${rest} ${small}` : ''}`;
}

/** With one digit after the point below 10. */
const short = (number: number): string => String(number < 9.95 ? Math.round(number * 10) / 10 : Math.round(number));

/** What a table has for a key that may be any text, such as `constructor`. */
export const wordsFor = <Words>(table: Record<string, Words>, key: Maybe<string>): Words | undefined => (Object.hasOwn(table, key ?? '') ? table[key ?? ''] : undefined);
