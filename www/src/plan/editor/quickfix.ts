/** Applies suggestions of a report in the editor. */
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Diagnostic } from 'loopgate';
import { changesFor, type Change, type Range } from './places';

export function applySuggestion(view: EditorView, problem: Diagnostic, suggestion: string): void {
  const changes = fix(view.state, problem, suggestion);
  const first = changes[0];
  if (!first || view.state.readOnly) return;
  view.dispatch({ changes, selection: { anchor: first.from + suggestion.length }, scrollIntoView: true, userEvent: 'input.complete' });
}

export const fix = (state: EditorState, problem: Diagnostic, suggestion: string): Change[] =>
  changesFor(state.doc, problem, suggestion, (opening) => closingName(state, opening));

/** The name in the closing tag of the element that opens at `opening`. */
function closingName(state: EditorState, opening: number): Range | null {
  const tag = syntaxTree(state).resolveInner(opening, 1);
  const element = tag.parent?.name === 'JSXOpenTag' ? tag.parent.parent : null;
  const name = element?.getChild('JSXCloseTag')?.getChild('JSXIdentifier');
  return name ? { from: name.from, to: name.to } : null;
}
