/** Positions of diagnostics in the text, and the edits of suggestions. Pure. */
import type { Text } from '@codemirror/state';
import type { Diagnostic } from 'loopgate';

export interface Range {
  from: number;
  to: number;
}

/** The offset of a 1-based line and column. Positions outside of the text are clamped. */
export function offset(text: Text, line: number, column: number): number {
  const { from, length } = text.line(Math.min(Math.max(1, line), text.lines));
  return from + Math.min(Math.max(0, column - 1), length);
}

/** The range of a diagnostic: at least one character, so that it can be underlined. */
export function rangeOf(text: Text, { line, column, endLine, endColumn }: Pick<Diagnostic, 'line' | 'column' | 'endLine' | 'endColumn'>): Range {
  const from = offset(text, line, column);
  const to = endLine === undefined || endColumn === undefined ? from : offset(text, endLine, endColumn);
  if (to > from) return { from, to };
  const end = text.lineAt(from).to;
  return end > from ? { from, to: from + 1 } : { from: Math.max(text.lineAt(from).from, from - 1), to: from };
}

export interface Change extends Range {
  insert: string;
}

/**
 * The edits that apply `suggestion` to a diagnostic; empty if it cannot be applied. A tag's name is changed in the opening and the
 * closing tag.
 */
export function changesFor(text: Text, problem: Diagnostic, suggestion: string, closingName: (opening: number) => Range | null): Change[] {
  const { from, to } = rangeOf(text, problem);
  const source = text.sliceString(from, to);
  if (problem.id === 'unknown-component') {
    const name = /^<([\w.$-]+)/.exec(source)?.[1];
    if (name === undefined) return [];
    const closing = closingName(from);
    return [{ from: from + 1, to: from + 1 + name.length, insert: suggestion }, ...(closing ? [{ ...closing, insert: suggestion }] : [])];
  }
  if (problem.id === 'unknown-prop') {
    const name = /^[\w-]+/.exec(source)?.[0];
    return name === undefined ? [] : [{ from, to: from + name.length, insert: suggestion }];
  }
  const value = /^([\w-]+\s*=\s*\{?\s*)(["'`])([^"'`]*)\2/.exec(source);
  if (!value) return [];
  const start = from + value[1]!.length + 1;
  return [{ from: start, to: start + value[3]!.length, insert: suggestion }];
}

/** Replaces only the part that differs, so that the caret and the scroll position stay. */
export function changedPart(before: Text, after: string): Change {
  const text = before.toString();
  let start = 0;
  while (start < text.length && start < after.length && text[start] === after[start]) start++;
  let end = 0;
  while (end < text.length - start && end < after.length - start && text.at(-1 - end) === after.at(-1 - end)) end++;
  return { from: start, to: text.length - end, insert: after.slice(start, after.length - end) };
}
