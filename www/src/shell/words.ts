/** Reads a command line with a parser for Bash: plain commands, `&&`, `||` and `;` between them, `>` and `>>` for files. All else is refused. */
import type { Command, PipelineNode, Redirection, Word, WordPart } from 'unbash';
import leven from 'leven';

/** Exit code 2. Every other error is exit code 1. */
export class UsageError extends Error {}

export interface Call {
  /** What joins it to the call before: `&&` runs it only after success, `||` only after a failure. */
  join: ';' | '&&' | '||';
  words: string[];
  /** The file for the output. */
  into?: { path: string; append: boolean };
}

export async function readCalls(line: string): Promise<Call[]> {
  const { parse } = await import('unbash');
  const { commands, errors } = parse(line);
  if (errors?.[0]) throw new UsageError(errors[0].message);
  return commands.flatMap(({ command, background }): Call[] => {
    if (background) throw refused('background jobs');
    if (command.type !== 'AndOr') return [{ join: ';', ...callOf(command) }];
    return command.commands.map((each, at) => ({ join: at ? command.operators[at - 1]! : ';', ...callOf(each) }));
  });
}

const REFUSED: Readonly<Record<string, string>> = {
  Pipeline: 'pipes',
  Subshell: 'subshells',
  Glob: 'file patterns (name the files, or quote the pattern)',
  ExtendedGlob: 'file patterns (name the files, or quote the pattern)',
  BraceExpansion: 'braces (quote them)',
  SimpleExpansion: 'variables (put $ in single quotes)',
  ParameterExpansion: 'variables (put $ in single quotes)',
  CommandExpansion: 'command substitutions',
  Assignment: 'variables',
};

const refused = (what: string) => new UsageError(`${REFUSED[what] ?? what} are not supported`);

function callOf(node: PipelineNode): Omit<Call, 'join'> {
  if (node.type !== 'Command') throw refused(REFUSED[node.type] ? node.type : 'control structures');
  if (!node.name) throw new UsageError('missing command');
  const into = node.redirects.map(fileOf).at(-1);
  return { words: [node.name, ...argumentsOf(node)].map(textOf), ...(into && { into }) };
}

function argumentsOf({ prefix, args }: Command): Word[] {
  if (prefix.some(({ type }) => type === 'Assignment')) throw refused('Assignment');
  return args.map((word) => {
    if (word.type !== 'Word') throw refused(word.type);
    return word;
  });
}

function fileOf(redirection: Redirection): NonNullable<Call['into']> {
  const { operator, descriptor } = redirection;
  if (redirection.type !== 'Redirect' || (operator !== '>' && operator !== '>>') || descriptor) throw refused(`redirections with ${operator}`);
  return { path: textOf(redirection.target!), append: operator === '>>' };
}

/** Text of an expansion would be another text in a shell. */
function textOf({ value, parts }: Word): string {
  for (const part of parts ?? []) check(part);
  return value;
}

function check(part: WordPart): void {
  if (part.type === 'DoubleQuoted') part.parts.forEach(check);
  else if (part.type !== 'Literal' && part.type !== 'SingleQuoted') throw refused(part.type);
}

/** Up to three, the nearest first. A short name is near only with one other letter. */
export function nearest(written: string, names: readonly string[]): string[] {
  const wanted = written.toLowerCase();
  const most = wanted.length < 5 ? 1 : wanted.length / 2;
  return names
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** A part of a name counts as near: `north` suggests `northern-lights`. */
function distance(wanted: string, name: string): number {
  return wanted.length > 2 && name.includes(wanted) ? 1 : leven(wanted, name);
}
