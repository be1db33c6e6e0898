import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf } from '../../snapshots/snapshots';
import { newSpecProblem, nextNumber, type SpecRow } from '../../specs/rows';
import { addSpec } from '../../specs/specs';
import { announce } from '../announce';

/** Writes a spec. */
export function NewSpec({ rows, onClose }: { rows: SpecRow[]; onClose(): void }) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    first.current!.focus();
    // After the button is enabled again.
    return () => void requestAnimationFrame(() => opener instanceof HTMLElement && opener.focus());
  }, []);
  const path = useSignal(`specs/${nextNumber(rows)}-name.md`);
  const text = useSignal('# Title\n\nWhat you want, and how to check it.\n');
  const failure = useSignal<string | null>(null);
  const problem = newSpecProblem(path.value.trim(), text.value, rows);
  const save = async (event: Event) => {
    event.preventDefault();
    if (problem) return;
    try {
      await addSpec(path.value.trim(), text.value);
      announce('Spec saved');
      onClose();
    } catch (error) {
      failure.value = messageOf(error);
    }
  };
  return (
    <form class="new-spec" aria-label="New spec" onSubmit={(event) => void save(event)}>
      <label>File<input ref={first} type="text" value={path.value} spellcheck={false} autocomplete="off" onInput={(event) => (path.value = event.currentTarget.value)} /></label>
      <label>Text<textarea rows={8} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} /></label>
      {failure.value && <p class="problem" role="alert">{failure.value}</p>}
      <div class="new-spec-actions">
        <span class="muted" role="status">{problem}</span>
        <button type="button" class="small quiet" onClick={onClose}>Cancel</button>
        <button type="submit" class="small primary" disabled={problem !== null}>Save spec</button>
      </div>
    </form>
  );
}
