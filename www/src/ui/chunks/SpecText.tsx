import { useSignal, type Signal } from '@preact/signals';
import { saveText } from '../../chunks/chunks';
import { HANDOFF, type ChunkSpec } from '../../chunks/spec';
import { messageOf } from '../../snapshots/snapshots';
import { announce } from '../announce';

interface SpecTextProps {
  spec: ChunkSpec;
  open: boolean;
  /** The text has unsaved changes. */
  editing: Signal<boolean>;
  locked: boolean;
}

/** The text of the spec, which can be edited. */
export function SpecText({ spec: { id, text }, open, editing, locked }: SpecTextProps) {
  const edited = useSignal(text);
  const failure = useSignal<string | null>(null);
  const set = (next: string) => {
    edited.value = next;
    editing.value = next !== text;
  };
  const save = async () => {
    try {
      await saveText(id, edited.value);
      [editing.value, failure.value] = [false, null];
      announce('Spec saved');
    } catch (error) {
      failure.value = messageOf(error);
    }
  };
  return (
    <details class="chunks-section" open={open}>
      <summary>Spec <code class="muted">{HANDOFF}{id}/spec.md</code>{editing.value && <span class="muted"> not saved</span>}</summary>
      <textarea aria-label="Text of the spec" rows={9} value={editing.value ? edited.value : text} disabled={locked} onInput={(event) => set(event.currentTarget.value)} />
      {failure.value && <p class="problem" role="alert">{failure.value}</p>}
      {editing.value && (
        <div class="chunks-actions">
          <button type="button" class="small quiet" onClick={() => set(text)}>Undo</button>
          <button type="button" class="small primary" disabled={locked} onClick={() => void save()}>Save spec</button>
        </div>
      )}
    </details>
  );
}
