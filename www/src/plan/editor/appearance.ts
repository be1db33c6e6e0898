/** The editor's theme, from the page's color variables. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '0.86rem' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--accent)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--raised) 70%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection': { backgroundColor: 'var(--selection)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--warn-soft)' },
  '.cm-tooltip': { border: '1px solid var(--line-strong)', borderRadius: 'var(--corner)', backgroundColor: 'var(--raised)', color: 'var(--text)', boxShadow: '0 4px 16px var(--shadow)' },
  '.cm-diagnostic': { padding: '0.35rem 0.6rem', maxWidth: '28rem', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-diagnosticAction': { border: '1px solid var(--line-strong)', borderRadius: 'var(--corner)', padding: '0.1rem 0.5rem', backgroundColor: 'var(--surface)', color: 'var(--text)', cursor: 'pointer' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn)', textUnderlineOffset: '3px' },
  '.cm-lintRange-active': { backgroundColor: 'var(--accent-soft)' },
  '.cm-lint-marker': { width: '0.75em', height: '0.75em', content: '""', borderRadius: '50%', background: 'var(--warn)' },
  '.cm-lint-marker-error': { borderRadius: '1px', background: 'var(--bad)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '0.4rem 2rem 0.4rem 0.6rem' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { fontSize: '0.86rem' },
  '.cm-panel.cm-search label': { display: 'inline-flex', gap: '0.3em', alignItems: 'center', marginRight: '0.5em' },
  '.cm-textfield, .cm-button': { border: '1px solid var(--line-strong)', borderRadius: 'var(--corner)', backgroundColor: 'var(--surface)', backgroundImage: 'none', color: 'var(--text)' },
  '.cm-button:active': { backgroundColor: 'var(--raised)', backgroundImage: 'none' },
  '.cm-panel.cm-search [name="close"]': { minWidth: '24px', minHeight: '24px', color: 'var(--text)' },
});

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.tagName, tags.className, tags.typeName], color: 'var(--code-tag)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--code-attribute)' },
  { tag: [tags.string, tags.attributeValue, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.blockComment, tags.lineComment], color: 'var(--text-muted)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.angleBracket, tags.bracket], color: 'var(--text-muted)' },
]);

export const appearance: Extension = [theme, syntaxHighlighting(highlighting)];
