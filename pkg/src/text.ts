import { LoopgateError } from './errors.js';

/** A value that must be a text. The bindings of the wasm module take anything for one, and read past their memory then. */
export function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
  throw new LoopgateError(`${name} must be a string, not ${kind}`, { code: 'invalid-argument' });
}

/** A text that may be left out. */
export const optionalText = (name: string, value: unknown): string | undefined => (value === undefined || value === null ? undefined : textOf(name, value));

/** The words of a shell's command. */
export const wordsOf = (args: unknown): string[] => Array.from(Array.isArray(args) ? args : [], (word) => textOf('a word of the command', word));
