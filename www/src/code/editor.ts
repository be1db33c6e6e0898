/** The editor of a file and of the plan. It is loaded on demand. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { forceLinting, linter, lintGutter, nextDiagnostic, previousDiagnostic, type Diagnostic as Mark } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateField, type Extension, type Text } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, type KeyBinding } from '@codemirror/view';
import { appearance } from '../plan/editor/appearance';
import { changedPart, offset, rangeOf } from '../plan/editor/places';
import { loadConfig, type Diagnostic } from 'loopgate';
import { syntaxErrors } from '../host/syntax';
import { absolute, DIR, files } from '../project/storage';
import { CONFIG } from '../specs/settings';

export interface Editor {
  view: EditorView;
  /** Replaces the text. The user can undo that. */
  show(text: string): void;
  setReadOnly(readOnly: boolean): void;
  /** Moves the caret and focuses the editor. 1-based. */
  goTo(line: number, column?: number): void;
}

export interface EditorOptions {
  text: string;
  readOnly: boolean;
  language: Extension;
  /** Of the editor, for screen readers. */
  attributes: Record<string, string>;
  marks(view: EditorView): Mark[] | Promise<Mark[]>;
  /** The pause before the marks are made. */
  delay: number;
  keys?: KeyBinding[];
  more?: Extension;
  onEdit(text: string): void;
  onSave(): void;
}

export function createEditor(parent: HTMLElement, { text, readOnly, language, attributes, marks, delay, keys = [], more = [], onEdit, onSave }: EditorOptions): Editor {
  const writing = new Compartment();
  const locked = (readOnly: boolean) => EditorState.readOnly.of(readOnly);
  const extensions = [
    lineNumbers(),
    lintGutter(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    language,
    appearance,
    keymap.of([
      { key: 'Mod-s', run: ({ state }) => (state.readOnly || onSave(), true), preventDefault: true },
      { key: 'F8', run: nextDiagnostic },
      { key: 'Shift-F8', run: previousDiagnostic },
      ...keys,
      // Tab leaves the editor; with Ctrl-m before it, it indents.
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of(attributes),
    EditorView.updateListener.of((update) => update.docChanged && onEdit(update.state.doc.toString())),
    linter(marks, { delay }),
    writing.of(locked(readOnly)),
    more,
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  forceLinting(view);
  return {
    view,
    show(text) {
      // The editor drops the kind of line endings.
      if (view.state.toText(text).eq(view.state.doc)) return;
      view.dispatch({ changes: changedPart(view.state.doc, text) });
      forceLinting(view);
    },
    setReadOnly: (readOnly) => view.dispatch({ effects: writing.reconfigure(locked(readOnly)) }),
    goTo(line, column = 1) {
      const anchor = offset(view.state.doc, line, column);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
  };
}

type FileOptions = Pick<EditorOptions, 'text' | 'readOnly' | 'onEdit' | 'onSave'> & { path: string; lines?: readonly [first: number, last: number] };

/** `lines` are marked and scrolled to. */
export async function openEditor(parent: HTMLElement, { path, lines, ...options }: FileOptions): Promise<Editor> {
  const marks = async ({ state: { doc } }: EditorView): Promise<Mark[]> => (await problemsOf(path, doc.toString())).map(({ message, severity, ...place }) => ({ ...rangeOf(doc, place), severity, message }));
  const editor = createEditor(parent, { ...options, language: await languageOf(path), attributes: { 'aria-label': path }, marks, delay: 300, ...(lines && { more: marked(lines) }) });
  if (lines) editor.goTo(lines[0]);
  return editor;
}

/** Marks lines; the marks move with the text. */
function marked([first, last]: readonly [number, number]): Extension {
  const set = (text: Text) => {
    const end = Math.min(Math.max(first, last), text.lines);
    const start = Math.min(first, end);
    return Decoration.set(Array.from({ length: end - start + 1 }, (_, at) => Decoration.line({ class: 'marked-line' }).range(text.line(start + at).from)));
  };
  return StateField.define({ create: ({ doc }) => set(doc), update: (marks, { changes }) => marks.map(changes), provide: (field) => EditorView.decorations.from(field) });
}

const script = (options: { jsx?: boolean; typescript?: boolean }) => async () => (await import('@codemirror/lang-javascript')).javascript(options);

const LANGUAGES: Readonly<Record<string, () => Promise<Extension>>> = {
  js: script({ jsx: true }),
  jsx: script({ jsx: true }),
  mjs: script({}),
  ts: script({ typescript: true }),
  tsx: script({ jsx: true, typescript: true }),
  css: async () => (await import('@codemirror/lang-css')).css(),
  json: async () => (await import('@codemirror/lang-json')).json(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  md: async () => (await import('@codemirror/lang-markdown')).markdown(),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  yml: async () => (await import('@codemirror/lang-yaml')).yaml(),
};

/** No highlighting for other files. */
export const languageOf = async (path: string): Promise<Extension> => (await LANGUAGES[path.split('.').at(-1)!]?.()) ?? [];

type Problem = Pick<Diagnostic, 'message' | 'line' | 'column' | 'endLine' | 'endColumn'> & { severity: 'error' | 'warning' };

export async function problemsOf(path: string, text: string): Promise<Problem[]> {
  if (path === CONFIG) return configProblems(text);
  return (await syntaxErrors(path, text)).map(({ message, line = 1, column = 1 }) => ({ message, line, column, severity: 'error' }));
}

/** loopgate reads the configuration with this text in place of the file. */
async function configProblems(text: string): Promise<Problem[]> {
  const fs = new Proxy(files, { get: (own, name) => (name === 'readFile' ? async (path: string, options: never) => (path === absolute(CONFIG) ? text : own.readFile(path, options)) : Reflect.get(own, name)) });
  const { warnings } = await loadConfig({ fs, dir: DIR }, { lenient: true });
  return warnings.filter(({ file }) => file === CONFIG).map((warning) => ({ ...warning, severity: warning.id === 'invalid-layer' ? 'error' : 'warning' }));
}
