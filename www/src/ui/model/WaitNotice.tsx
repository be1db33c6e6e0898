import { useEffect, useState } from 'preact/hooks';
import { retryNow } from '../../run/session';
import type { RunView } from '../../run/view';

/** A wait of the run with its countdown. Screen readers get the line of the timeline, not each second. */
export function WaitNotice({ wait }: { wait: NonNullable<RunView['wait']> }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((wait.until - now) / 1000));
  return (
    <div class="wait-notice">
      <p>Try {wait.attempt} of {wait.of} <span aria-hidden="true">in {seconds} s</span></p>
      <button type="button" onClick={retryNow}>Retry now</button>
    </div>
  );
}
