/** Shows the difference between two texts, and counts its lines. Loaded on demand. */
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { diffLines } from 'diff';
import { languageOf } from '../code/editor';
import { appearance } from '../plan/editor/appearance';

/** Lines. */
export interface LineCount {
  added: number;
  removed: number;
}

const COLLAPSE = { margin: 3, minSize: 6 };
/** Large texts are compared approximately. */
const DIFF = { scanLimit: 2_000, timeout: 500 };

const theme = EditorView.theme({
  '&': { height: 'auto' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk, &.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-merge-b .cm-changedLine, .cm-changedLine.cm-changedLine, &.cm-merge-b .cm-changedLineGutter': { backgroundColor: 'var(--good-soft)' },
  '&.cm-merge-a .cm-changedLine.cm-changedLine': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'none', boxShadow: 'inset 0 -2px var(--bad)' },
  '&.cm-merge-b .cm-changedText, & .cm-changedText': { background: 'none', boxShadow: 'inset 0 -2px var(--good)' },
  '&.cm-merge-a .cm-changedText.cm-changedText': { background: 'none', boxShadow: 'inset 0 -2px var(--bad)' },
  '&.cm-merge-a .cm-changeGutter .cm-changedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changeGutter .cm-changedLineGutter, .cm-changeGutter .cm-changedLineGutter': { background: 'var(--good)' },
  '.cm-collapsedLines': { background: 'var(--raised)', color: 'var(--text-muted)' },
  // Few fonts have the sign of the base theme.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
  '.cm-collapsedLines:hover': { color: 'var(--text)' },
});

/** `names` are the accessible names of both sides. Returns how to remove the view. */
export async function showDifference(parent: HTMLElement, path: string, before: string, after: string, names: { before: string; after: string }, isSplit: boolean): Promise<() => void> {
  const language = await languageOf(path);
  const side = (name: string): Extension[] => [
    lineNumbers(),
    language,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0', role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true' }),
    EditorView.lineWrapping,
    appearance,
    theme,
  ];
  const view = isSplit
    ? new MergeView({ parent, a: { doc: before, extensions: side(names.before) }, b: { doc: after, extensions: side(names.after) }, collapseUnchanged: COLLAPSE, diffConfig: DIFF, gutter: true })
    : new EditorView({ parent, doc: after, extensions: [side(`${names.before}, then ${names.after}`), unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: COLLAPSE, diffConfig: DIFF })] });
  return () => view.destroy();
}

/** As loopgate counts them. */
export function countLines(before: string, after: string): LineCount {
  const parts = diffLines(before, after, { timeout: DIFF.timeout }) ?? [];
  const sum = (key: 'added' | 'removed') => parts.reduce((all, part) => all + (part[key] ? part.count : 0), 0);
  return { added: sum('added'), removed: sum('removed') };
}
