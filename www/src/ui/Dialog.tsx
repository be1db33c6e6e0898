import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** The label of the button that confirms, if there is one. */
  confirm?: string;
  /** The action cannot be undone. */
  isDanger?: boolean;
  /** The label of the other button. */
  cancel?: string;
  /** A class for the layout: `commands` or `model-dialog`. */
  kind?: string;
  busy?: boolean;
  /** The action is not possible at the moment. */
  blocked?: boolean;
  error?: string | null;
  onConfirm?(): void;
  onClose(): void;
  children: ComponentChildren;
}

/** A confirmation dialog. Enter in a field confirms, and Escape cancels. */
export function Dialog({ title, confirm, isDanger = false, cancel = 'Cancel', kind = '', busy = false, blocked = false, error, onConfirm, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A later effect would take the focus from what the user has clicked since.
  useLayoutEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  // The button that confirms loses the focus.
  useLayoutEffect(() => {
    if (busy) dialog.current!.focus();
  }, [busy]);
  return (
    // Key events must not reach the form below the dialog.
    <dialog ref={dialog} tabIndex={-1} class={`dialog ${kind}`} aria-labelledby="dialog-title" onKeyDown={(event) => event.stopPropagation()} onCancel={(event) => { event.preventDefault(); if (!busy) onClose(); }}>
      <h2 id="dialog-title">{title}</h2>
      <form noValidate onSubmit={(event) => { event.preventDefault(); onConfirm?.(); }}>
        {children}
        {error && <p class="problem" role="alert">{error}</p>}
        <div class="dialog-actions">
          <button type="button" class="quiet" disabled={busy} onClick={onClose}>{cancel}</button>
          {confirm && <button type="submit" class={isDanger ? 'danger filled' : 'primary'} disabled={busy || blocked}>{busy ? 'Working …' : confirm}</button>}
        </div>
      </form>
    </dialog>
  );
}
