/** Places of a report in the editor's text, and what a suggestion changes there. Pure. */
import type { Text } from '@codemirror/state';
import type { Diagnostic } from 'loopgate';

export interface Range {
  from: number;
  to: number;
}

/** The offset of a line and a column, both from 1. What lies outside the text becomes its nearest place. */
export function offset(text: Text, line: number, column: number): number {
  const { from, length } = text.line(Math.min(Math.max(1, line), text.lines));
  return from + Math.min(Math.max(0, column - 1), length);
}

/** What a diagnostic is about; at least one character of its line, so that there is something to underline. */
export function rangeOf(text: Text, { line, column, endLine, endColumn }: Diagnostic): Range {
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
 * What makes `suggestion` of the place that a diagnostic is about; nothing where it cannot be told.
 * A tag's name is changed where the element opens and where it closes.
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
