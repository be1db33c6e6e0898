/** The editor of the plan, with fixes for its problems. It is loaded on demand. */
import { tsxLanguage } from '@codemirror/lang-javascript';
import type { Diagnostic as Mark } from '@codemirror/lint';
import { EditorView } from '@codemirror/view';
import type { Diagnostic } from 'loopgate';
import { createEditor, type Editor, type EditorOptions } from '../../code/editor';
import { plainMessage, type Problem } from '../outline';
import { rangeOf } from './places';
import { applySuggestion, fix } from './quickfix';

/** More marks slow down typing. */
const MOST_MARKS = 300;

export interface PlanEditor extends Editor {
  apply(problem: Diagnostic, suggestion: string): void;
}

/** `problems`: the problems of the last text passed to `onEdit`. */
export function createPlanEditor(parent: HTMLElement, { problems, ...options }: Pick<EditorOptions, 'text' | 'readOnly' | 'onEdit' | 'onSave'> & { problems(): Problem[] }): PlanEditor {
  const marks = ({ state }: EditorView): Mark[] =>
    problems().slice(0, MOST_MARKS).map((problem) => ({
      ...rangeOf(state.doc, problem),
      severity: problem.severity,
      source: problem.id,
      message: plainMessage(problem),
      actions: (problem.suggestions ?? [])
        .filter((suggestion) => fix(state, problem, suggestion).length)
        .map((suggestion) => ({ name: `Change to ${suggestion}`, apply: (view) => applySuggestion(view, problem, suggestion) })),
    }));
  /** Applies the first suggestion for the problem at the caret. */
  const applyFirst = (view: EditorView): boolean => {
    const { head } = view.state.selection.main;
    const problem = problems().find((problem) => {
      const { from, to } = rangeOf(view.state.doc, problem);
      return problem.suggestions?.length && from <= head && head <= to;
    });
    if (problem) applySuggestion(view, problem, problem.suggestions![0]!);
    return problem !== undefined;
  };
  const attributes = { 'aria-label': 'Plan', 'aria-describedby': 'plan-help' };
  const editor = createEditor(parent, { ...options, language: tsxLanguage, attributes, marks, delay: 80, keys: [{ key: 'Mod-.', run: applyFirst }], more: EditorView.lineWrapping });
  return {
    ...editor,
    apply(problem, suggestion) {
      applySuggestion(editor.view, problem, suggestion);
      editor.view.focus();
    },
  };
}
