/** Parses `--name value` arguments. */
import { nearest, UsageError } from '../shell/words';

/** A flag, a number within bounds, or one of some names. */
export type OptionKind = 'flag' | { from: number; to: number; words?: Readonly<Record<string, number>> } | { names: readonly string[]; what: string };

export type Values = Record<string, string | number | true>;

/** The positional arguments and the options by name. */
export function readOptions(args: readonly string[], kinds: Readonly<Record<string, OptionKind>>): { rest: string[]; values: Values } {
  const rest: string[] = [];
  const values: Values = {};
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (!arg.startsWith('--')) {
      rest.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!kind) throw new UsageError(`unknown option --${name}.${suggestion(name, Object.keys(kinds), '--')}`);
    if (kind === 'flag') {
      if (equals >= 0) throw new UsageError(`--${name} takes no value`);
      values[name] = true;
      continue;
    }
    const given = equals < 0 ? left.shift() : arg.slice(equals + 1);
    // A negative number is a value.
    if (given === undefined || given.startsWith('--')) throw new UsageError(`--${name} needs a value`);
    values[name] = 'names' in kind ? known(given, kind.names, kind.what) : numberOf(name, given, kind);
  }
  return { rest, values };
}

/** Returns `given` if it is one of the names. */
export function known(given: string, names: readonly string[], what: string): string {
  if (names.includes(given)) return given;
  throw new UsageError(`unknown ${what} "${given}".${suggestion(given, names)} \`theme list\` prints all of them.`);
}

function numberOf(name: string, given: string, { from, to, words = {} }: { from: number; to: number; words?: Readonly<Record<string, number>> }): number {
  if (Object.hasOwn(words, given)) return words[given]!;
  const value = given.trim() === '' ? NaN : Number(given);
  if (value >= from && value <= to) return value;
  const or = Object.keys(words).length ? `, or ${Object.keys(words).join(', ')}` : '';
  throw new UsageError(`--${name} is "${given}": use a number from ${from} to ${to}${or}`);
}

function suggestion(given: string, names: readonly string[], before = ''): string {
  const near = nearest(given, names).map((name) => before + name);
  return near.length ? ` Did you mean ${near.join(' or ')}?` : '';
}
