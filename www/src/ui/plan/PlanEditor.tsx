import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PlanEditor as Editor } from '../../plan/editor/editor';
import { editPlan, plan, problems } from '../../plan/plan';
import { isRunning } from '../../run/session';
import { messageOf } from '../../snapshots/snapshots';
import { editor } from './PlanTree';

export function PlanEditor({ onSave }: { onSave(): void }) {
  const parent = useRef<HTMLDivElement>(null);
  const current = useRef<Editor | null>(null);
  const failure = useSignal<string | null>(null);
  const loading = useSignal(true);
  const save = useRef(onSave);
  save.current = onSave;

  useEffect(() => {
    let gone = false;
    const open = async () => {
      const { createPlanEditor } = await import('../../plan/editor/editor');
      if (gone) return;
      current.current = createPlanEditor(parent.current!, {
        text: plan.peek().text,
        readOnly: isRunning.peek(),
        problems: () => problems.peek(),
        onEdit: editPlan,
        onSave: () => save.current(),
      });
      editor.value = current.current;
      loading.value = false;
    };
    open().catch((error) => (failure.value = messageOf(error)));
    return () => {
      gone = true;
      editor.value = null;
      current.current?.view.destroy();
    };
  }, []);
  useEffect(() => current.current?.show(plan.value.text), [plan.value.text, loading.value]);
  useEffect(() => current.current?.setReadOnly(isRunning.value), [isRunning.value, loading.value]);

  return (
    <div class="plan-editor" ref={parent}>
      {failure.value ? <p class="problem" role="alert">Cannot load the editor: {failure.value}</p> : loading.value && <p class="empty" role="status">Loading the editor …</p>}
    </div>
  );
}
