import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** What the confirming button says: what it does. */
  confirm: string;
  /** What the other button says. */
  cancel?: string;
  /** It has much to show. */
  wide?: boolean;
  busy?: boolean;
  /** What is asked cannot be done just now. */
  blocked?: boolean;
  error?: string | null;
  onConfirm(): void;
  onClose(): void;
  children: ComponentChildren;
}

/** A question before something that cannot be taken back lightly. Escape and the other button both mean no. */
export function Dialog({ title, confirm, cancel = 'Cancel', wide = false, busy = false, blocked = false, error, onConfirm, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    // What is typed here is not for what is behind it.
    <dialog ref={dialog} class={wide ? 'dialog wide' : 'dialog'} aria-labelledby="dialog-title" onKeyDown={(event) => event.stopPropagation()} onCancel={(event) => { event.preventDefault(); if (!busy) onClose(); }}>
      <h2 id="dialog-title">{title}</h2>
      {children}
      {error && <p class="problem" role="alert">{error}</p>}
      <div class="dialog-actions">
        <button type="button" class="quiet" disabled={busy} onClick={onClose}>{cancel}</button>
        <button type="button" class="primary" disabled={busy || blocked} onClick={onConfirm}>{busy ? 'Working …' : confirm}</button>
      </div>
    </dialog>
  );
}
