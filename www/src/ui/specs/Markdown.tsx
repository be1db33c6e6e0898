import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { documents, editDocument, readDocument, saveDocument, setDocument, unsaved } from '../../code/documents';
import { isChanged, takeTheirs } from '../../plan/document';
import { messageOf } from '../../snapshots/snapshots';
import { announce } from '../announce';
import { Conflict } from '../Conflict';

/** Nothing of a text may load, run or submit anything. */
const RULES = { FORBID_TAGS: ['img', 'style', 'form', 'input', 'button', 'video', 'audio', 'svg'], FORBID_ATTR: ['style', 'id', 'class'] };

/** The headings of a text are below the headings of the page. */
const marked = new Marked({
  walkTokens(token) {
    if (token.type === 'heading') token.depth = Math.min(6, token.depth + 2);
  },
});

export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => DOMPurify.sanitize(marked.parse(text, { async: false }), RULES), [text]);
  // A link must not replace the page.
  const open = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    event.preventDefault();
    if (/^https?:$/.test(link.protocol)) window.open(link.href, '_blank', 'noopener');
  };
  return <div class="markdown" onClick={open} dangerouslySetInnerHTML={{ __html: html }} />;
}

interface EditableProps {
  text: string;
  locked: boolean;
  /** The file of the text. Its changes are kept until they are saved. */
  file?: string;
  /** Without a file: every change is saved at once. */
  onInput?(text: string): void;
}

/** A spec as rendered Markdown without its title, which the page has. It can be edited in place. */
export function EditableMarkdown({ text, locked, file, onInput }: EditableProps) {
  const opened = useSignal(false);
  const failure = useSignal<string | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const document = file === undefined ? undefined : documents.value.get(file);
  const isUnsaved = document !== undefined && isChanged(document);
  const isEditing = opened.value || isUnsaved;
  useEffect(() => {
    if (opened.value) area.current?.focus();
  }, [opened.value]);
  const act = (action: () => Promise<unknown>) => () => void action().then(() => (failure.value = null), (error) => (failure.value = messageOf(error)));
  const edit = act(async () => {
    if (file !== undefined) await readDocument(file);
    opened.value = true;
  });
  const finish = act(async () => {
    if (file !== undefined) await saveDocument(file);
    if (file !== undefined && unsaved.peek().includes(file)) return;
    opened.value = false;
    announce('The spec is saved');
  });
  const cancel = () => {
    if (document) setDocument(file!, takeTheirs(document));
    opened.value = false;
  };
  return (
    <div class="editable">
      {isEditing ? <textarea aria-label="Text of the spec" rows={16} value={document?.text ?? text} ref={area} onInput={({ currentTarget: { value } }) => (file === undefined ? onInput?.(value) : editDocument(file, value))} /> : <Markdown text={text.replace(/^\s*#[ \t].*\n/, '')} />}
      {file !== undefined && <Conflict path={file} />}
      {failure.value && <p class="problem" role="alert">{failure.value}</p>}
      <div class="editable-actions">
        {isEditing
          ? <>
              {file !== undefined && <button type="button" class="small quiet" onClick={cancel}>Cancel</button>}
              <button type="button" class="small" onClick={finish}>{file === undefined ? 'Done editing' : 'Save the text'}</button>
            </>
          : <button type="button" class="small" disabled={locked} onClick={edit}>Edit the text</button>}
      </div>
    </div>
  );
}
