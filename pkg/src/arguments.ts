import { LoopgateError } from './errors.js';
import { properties, property } from './own.js';

// What callers without types pass is named here: the wasm module would take it for something else, or for a place in its memory.

/** A string that must be there. */
export function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw wrong(`\`${name}\` must be a string, not ${kindOf(value)}`);
}

/** A string that need not be there. */
export function optionalText(value: unknown, name: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, name);
}

/** The words of a command. */
export function words(value: unknown, name: string): string[] {
  if (!Array.isArray(value)) throw wrong(`\`${name}\` must be an array of strings, not ${kindOf(value)}`);
  return value.map((word, at) => text(word, `${name}[${at}]`));
}

/** A count that must be there, as far as the core counts. */
export function count(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value;
  throw wrong(`\`${name}\` must be a whole number from 0 to 4294967295, not ${typeof value === 'number' ? value : kindOf(value)}`);
}

/** An object that must be there. */
export function object<T extends object>(value: T, name: string): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrong(`\`${name}\` must be an object, not ${kindOf(value)}`);
}

/** These fields of an object that must be there. */
export function fields<T extends object, K extends keyof T>(value: T, name: string, ...keys: K[]): Pick<T, K> {
  return properties(object(value, name), ...keys);
}

/** These fields of an object that need not be there; `null` is none. */
export function optionalFields<T extends object, K extends keyof T>(value: T | null | undefined, name: string, ...keys: K[]): Partial<Pick<T, K>> {
  return value === undefined || value === null ? Object.create(null) : fields(value, name, ...keys);
}

/** The same, and no other fields: a misspelt one would have no effect. */
export function knownFields<T extends object, K extends keyof T & string>(value: T | null | undefined, name: string, ...keys: K[]): Partial<Pick<T, K>> {
  const given = optionalFields(value, name, ...keys);
  const unknown = Object.keys(value ?? {}).find((key) => !(keys as string[]).includes(key));
  if (unknown !== undefined) throw wrong(`\`${name}.${unknown}\` is unknown; known here are ${keys.map((key) => `\`${key}\``).join(', ')}`);
  return given;
}

/** A signal that need not be there. */
export function optionalSignal(value: AbortSignal | null | undefined, name: string): AbortSignal | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof property(value, 'aborted') === 'boolean' && typeof property(value, 'addEventListener') === 'function') return value;
  throw wrong(`\`${name}\` must be an AbortSignal, not ${kindOf(value)}`);
}

/** The error of an argument that no call can be made with. */
export function wrong(message: string): LoopgateError {
  return new LoopgateError(message, { code: 'invalid-argument' });
}

/** What sort of value it is, for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
