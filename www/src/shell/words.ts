/**
 * Parses a command line as a POSIX shell does: words with quotes and backslashes, `&&` and `;` between commands, `>` and `>>` for
 * files. Every other syntax is refused, so that no line has a different meaning than in a POSIX shell.
 */
import { UsageError } from './command';

export interface Call {
  words: string[];
  /** The file for the output. */
  into?: { path: string; append: boolean };
  /** Runs only if the previous call succeeded. */
  ifSucceeded: boolean;
}

type Token = { word: string } | { operator: '&&' | ';' | '>' | '>>' };

export function readCalls(line: string): Call[] {
  const calls: Call[] = [];
  let call: Call = { words: [], ifSucceeded: false };
  const tokens = readTokens(line);
  const end = (operator: string) => {
    if (call.words.length) calls.push(call);
    else if (operator === '&&' || call.into) throw new UsageError(`missing command ${call.into ? 'before >' : 'before &&'}`);
  };
  for (let token = tokens.shift(); token; token = tokens.shift()) {
    if ('word' in token) {
      call.words.push(token.word);
    } else if (token.operator === '&&' || token.operator === ';') {
      end(token.operator);
      call = { words: [], ifSucceeded: token.operator === '&&' };
    } else {
      const target = tokens.shift();
      if (!target || !('word' in target)) throw new UsageError(`missing file after ${token.operator}`);
      call.into = { path: target.word, append: token.operator === '>>' };
    }
  }
  if (call.ifSucceeded && !call.words.length) throw new UsageError('missing command after &&');
  end(';');
  return calls;
}

/** Unsupported syntax. */
const REFUSED: Readonly<Record<string, string>> = {
  '|': 'pipes are not supported',
  '&': 'background jobs are not supported',
  '<': 'input redirection is not supported: pass the file to the command',
  '`': 'command substitution is not supported',
  '(': 'subshells are not supported',
  ')': 'subshells are not supported',
  $: 'variables are not supported: put $ in single quotes',
  '*': 'file patterns are not supported: name the files, or put * in quotes',
  '?': 'file patterns are not supported: name the files, or put ? in quotes',
};

function readTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let word: string | null = null;
  const finish = () => {
    if (word !== null) tokens.push({ word });
    word = null;
  };
  const operator = (operator: '&&' | ';' | '>' | '>>') => {
    finish();
    tokens.push({ operator });
    return operator.length;
  };
  for (let at = 0; at < line.length; ) {
    const char = line[at]!;
    if (char === ' ' || char === '\t') {
      finish();
      at++;
    } else if (char === '\n' || char === ';') {
      at += operator(';');
    } else if (line.startsWith('&&', at)) {
      at += operator('&&');
    } else if (char === '>') {
      at += operator(line.startsWith('>>', at) ? '>>' : '>');
    } else if (char === '#' && word === null) {
      at = lineEnd(line, at);
    } else if (char === "'" || char === '"') {
      const quoted: Quoted = char === "'" ? single(line, at + 1) : double(line, at + 1);
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (char === '\\') {
      if (at + 1 >= line.length) throw new UsageError('missing character after \\');
      word = (word ?? '') + line[at + 1];
      at += 2;
    } else if (Object.hasOwn(REFUSED, char)) {
      throw new UsageError(REFUSED[char]!);
    } else {
      word = (word ?? '') + char;
      at++;
    }
  }
  finish();
  return tokens;
}

interface Quoted {
  text: string;
  /** The offset after the closing quote. */
  end: number;
}

function single(line: string, from: number): Quoted {
  const end = line.indexOf("'", from);
  if (end < 0) throw new UsageError("missing closing '");
  return { text: line.slice(from, end), end: end + 1 };
}

/** A backslash escapes `"`, `\`, `$` and a backtick; before other characters, it is literal. */
function double(line: string, from: number): Quoted {
  let text = '';
  for (let at = from; at < line.length; at++) {
    const char = line[at]!;
    if (char === '"') return { text, end: at + 1 };
    if (char === '$' || char === '`') throw new UsageError(REFUSED[char]!);
    if (char === '\\' && '"\\$`'.includes(line[at + 1] ?? ' ')) text += line[++at];
    else text += char;
  }
  throw new UsageError('missing closing "');
}

function lineEnd(line: string, from: number): number {
  const end = line.indexOf('\n', from);
  return end < 0 ? line.length : end;
}
