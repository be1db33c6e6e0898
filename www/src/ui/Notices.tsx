import { takeOver } from '../run/tabs';
import { missingSetting } from '../model/choice';
import { damaged, dialog, otherTab, startup, type OtherTab, toast } from '../store';
import { MissingModel } from './model/ModelButton';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../snapshots/snapshots';

/** Errors at the start, and the run of another tab. */
export function Notices() {
  if ('error' in startup.value) {
    return (
      <div class="notice tone-bad" role="alert">
        <p><strong>The demo could not start.</strong> {startup.value.error}</p>
        <button type="button" onClick={() => location.reload()}>Reload</button>
        <button type="button" class="danger" onClick={() => (dialog.value = 'reset')}>Reset project</button>
      </div>
    );
  }
  if (otherTab.value) return <OpenElsewhere tab={otherTab.value} />;
  return damaged.value && <DamagedHistory />;
}

const USES = { run: 'Running in another tab', write: 'Another tab changes the files', replace: 'Another tab replaces the project' };

/** Another tab writes the project. This one can resume its run after that tab is closed. */
function OpenElsewhere({ tab: { use, gone } }: { tab: OtherTab }) {
  return (
    <section class={`notice tone-warn other-tab ${use}`} aria-label="Another tab">
      <p role="status">
        <strong>{gone ? 'The other tab is gone.' : `${USES[use]}.`}</strong> {gone ? 'Its run is not finished.' : 'Nothing can be changed here until it is done.'}
      </p>
      {gone && <button type="button" class="primary" disabled={!('ready' in startup.value) || missingSetting.value !== null} onClick={() => void takeOver()}>Take over</button>}
      {gone && <MissingModel />}
    </section>
  );
}

function DamagedHistory() {
  return (
    <section class="notice tone-warn" aria-label="Damaged history" role="alert">
      <p><strong>The history of one run is damaged.</strong> Your files are fine. <span class="muted">{damaged.value}</span></p>
      <button type="button" class="primary" onClick={() => (damaged.value = null)}>Continue without it</button>
      <button type="button" class="danger" onClick={() => (dialog.value = 'reset')}>Reset project</button>
    </section>
  );
}

const SHOWN_MS = 10_000;

/** What the user did, with the way back. It stays while the pointer or the focus is on it. */
export function Toast() {
  const now = toast.value;
  const close = () => {
    if (!document.querySelector('.toast:is(:hover, :focus-within)')) toast.value = null;
  };
  useEffect(() => {
    const timer = now ? setInterval(close, SHOWN_MS) : undefined;
    return () => clearInterval(timer);
  }, [now]);
  const undo = () => {
    toast.value = null;
    now?.undo?.().catch((error) => (toast.value = { text: messageOf(error) }));
  };
  return (
    <div class="toast-place" role="status">
      {now && (
        <div class="toast">
          <span>{now.text}</span>
          {now.undo && <button type="button" class="small" onClick={undo}>Undo</button>}
          <button type="button" class="quiet small" aria-label="Close the message" onClick={() => (toast.value = null)}>×</button>
        </div>
      )}
    </div>
  );
}
