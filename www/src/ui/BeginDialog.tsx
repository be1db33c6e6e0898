import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Story } from '../model/story/stories';
import { begin } from '../run/begin';
import { hasChunks } from '../chunks/chunks';
import { hasSpecs } from '../specs/specs';
import { messageOf } from '../snapshots/snapshots';
import { announce } from './announce';
import { Dialog } from './Dialog';
import { showTab } from './Workspace';

interface BeginDialogProps {
  title: string;
  confirm: string;
  story: Story;
  /** The announcement at the end. */
  done: string;
  onClose(): void;
  children: ComponentChildren;
}

/** Asks before a story starts, because its project replaces the present one. */
export function BeginDialog({ title, confirm, story, done, onClose, children }: BeginDialogProps) {
  const busy = useSignal(false);
  const error = useSignal<string | null>(null);
  const start = async () => {
    busy.value = true;
    try {
      await begin(story);
      if (hasSpecs()) showTab('specs');
      else if (hasChunks()) showTab('chunks');
      announce(done);
      onClose();
    } catch (cause) {
      error.value = messageOf(cause);
      busy.value = false;
    }
  };
  return (
    <Dialog title={title} confirm={confirm} busy={busy.value} error={error.value} onConfirm={() => void start()} onClose={onClose}>
      {children}
    </Dialog>
  );
}
