/** Shows the difference between two texts, side by side or, in a narrow window, in one column. Loaded on demand. */
import { MergeView, unifiedMergeView, getChunks, type Chunk } from '@codemirror/merge';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';

export interface Difference {
  /** Lines. */
  added: number;
  removed: number;
  destroy(): void;
}

const NARROW = '(max-width: 860px)';
const COLLAPSE = { margin: 3, minSize: 6 };
/** Large texts are compared approximately. */
const DIFF = { scanLimit: 2_000, timeout: 500 };

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '0.86rem' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-muted)', borderRight: '1px solid var(--line)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk, &.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-merge-b .cm-changedLine, .cm-changedLine.cm-changedLine, &.cm-merge-b .cm-changedLineGutter': { backgroundColor: 'var(--good-soft)' },
  '&.cm-merge-a .cm-changedLine.cm-changedLine': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'color-mix(in oklab, var(--bad) 28%, transparent)' },
  '&.cm-merge-b .cm-changedText, & .cm-changedText': { background: 'color-mix(in oklab, var(--good) 28%, transparent)' },
  '&.cm-merge-a .cm-changedText.cm-changedText': { background: 'color-mix(in oklab, var(--bad) 28%, transparent)' },
  '&.cm-merge-a .cm-changeGutter .cm-changedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changeGutter .cm-changedLineGutter, .cm-changeGutter .cm-changedLineGutter': { background: 'var(--good)' },
  '.cm-collapsedLines': { background: 'var(--raised)', color: 'var(--text-muted)' },
  '.cm-collapsedLines:hover': { color: 'var(--text)' },
});

/** `names` are the accessible names of both sides. */
export function showDifference(parent: HTMLElement, before: string, after: string, names: { before: string; after: string }): Difference {
  const side = (name: string): Extension[] => [
    lineNumbers(),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0', role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true' }),
    EditorView.lineWrapping,
    theme,
  ];
  if (matchMedia(NARROW).matches) {
    const merged = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: COLLAPSE, diffConfig: DIFF });
    const view = new EditorView({ parent, doc: after, extensions: [side(`${names.before}, then ${names.after}`), merged] });
    const original = EditorState.create({ doc: before }).doc;
    return { ...count(getChunks(view.state)?.chunks ?? [], original, view.state.doc), destroy: () => view.destroy() };
  }
  const view = new MergeView({
    parent,
    a: { doc: before, extensions: side(names.before) },
    b: { doc: after, extensions: side(names.after) },
    collapseUnchanged: COLLAPSE,
    diffConfig: DIFF,
    gutter: true,
  });
  return { ...count(view.chunks, view.a.state.doc, view.b.state.doc), destroy: () => view.destroy() };
}

function count(chunks: readonly Chunk[], before: Text, after: Text): { added: number; removed: number } {
  const lines = (text: Text, from: number, end: number) => (from > end ? 0 : text.lineAt(Math.min(end, text.length)).number - text.lineAt(Math.min(from, text.length)).number + 1);
  return {
    added: chunks.reduce((sum, { fromB, toB, endB }) => sum + (toB > fromB ? lines(after, fromB, endB) : 0), 0),
    removed: chunks.reduce((sum, { fromA, toA, endA }) => sum + (toA > fromA ? lines(before, fromA, endA) : 0), 0),
  };
}
