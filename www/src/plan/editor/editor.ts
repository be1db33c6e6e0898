/** The editor of the plan. It is loaded on demand, because nothing else needs CodeMirror. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { tsxLanguage } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { forceLinting, linter, lintGutter, nextDiagnostic, previousDiagnostic, type Diagnostic as Mark } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import type { Diagnostic } from 'loopgate';
import { messageWithoutLine, type Problem } from '../problem';
import { appearance } from './appearance';
import { offset, rangeOf } from './places';
import { applySuggestion, fix } from './quickfix';

/** More marks slow down typing. */
const MOST_MARKS = 300;
const LINT_DELAY_MS = 80;

export interface PlanEditor {
  /** Replaces the text. The user can undo that. */
  show(text: string): void;
  setReadOnly(readOnly: boolean): void;
  /** Moves the caret and focuses the editor. 1-based. */
  goTo(line: number, column: number): void;
  apply(problem: Diagnostic, suggestion: string): void;
  destroy(): void;
}

export interface EditorOptions {
  text: string;
  readOnly: boolean;
  /** The problems of the last text passed to `onEdit`. */
  problems(): Problem[];
  onEdit(text: string): void;
  onSave(): void;
}

export function createEditor(parent: HTMLElement, options: EditorOptions): PlanEditor {
  const writing = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        highlightSelectionMatches(),
        tsxLanguage,
        appearance,
        keymap.of([
          { key: 'Mod-s', run: () => (options.onSave(), true), preventDefault: true },
          { key: 'F8', run: nextDiagnostic },
          { key: 'Shift-F8', run: previousDiagnostic },
          { key: 'Mod-.', run: applyFirst(options) },
          // Tab leaves the editor; with Ctrl-m before it, it indents.
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.contentAttributes.of({ 'aria-label': 'Plan', 'aria-describedby': 'plan-help' }),
        EditorView.updateListener.of((update) => update.docChanged && options.onEdit(update.state.doc.toString())),
        linter((view) => marks(view.state, options.problems()), { delay: LINT_DELAY_MS }),
        writing.of(locked(options.readOnly)),
      ],
    }),
  });
  forceLinting(view);
  return {
    show(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: changedPart(view.state.doc, text) });
      forceLinting(view);
    },
    setReadOnly: (readOnly) => view.dispatch({ effects: writing.reconfigure(locked(readOnly)) }),
    goTo(line, column) {
      const anchor = offset(view.state.doc, line, column);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
    apply(problem, suggestion) {
      applySuggestion(view, problem, suggestion);
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

const locked = (readOnly: boolean) => EditorState.readOnly.of(readOnly);

function marks(state: EditorState, problems: Problem[]): Mark[] {
  return problems.slice(0, MOST_MARKS).map((problem) => ({
    ...rangeOf(state.doc, problem),
    severity: problem.severity,
    source: problem.id,
    message: messageWithoutLine(problem),
    actions: (problem.suggestions ?? [])
      .filter((suggestion) => fix(state, problem, suggestion).length)
      .map((suggestion) => ({ name: `Change to ${suggestion}`, apply: (view) => applySuggestion(view, problem, suggestion) })),
  }));
}

/** Applies the first suggestion for the problem at the caret. */
function applyFirst({ problems }: EditorOptions) {
  return (view: EditorView): boolean => {
    const { head } = view.state.selection.main;
    const problem = problems().find((problem) => {
      const { from, to } = rangeOf(view.state.doc, problem);
      return problem.suggestions?.length && from <= head && head <= to;
    });
    if (problem) applySuggestion(view, problem, problem.suggestions![0]!);
    return problem !== undefined;
  };
}

/** Replaces only the part that differs, so that the caret and the scroll position stay. */
function changedPart(before: Text, after: string): { from: number; to: number; insert: string } {
  const text = before.toString();
  let start = 0;
  while (start < text.length && start < after.length && text[start] === after[start]) start++;
  let end = 0;
  while (end < text.length - start && end < after.length - start && text.at(-1 - end) === after.at(-1 - end)) end++;
  return { from: start, to: text.length - end, insert: after.slice(start, after.length - end) };
}
