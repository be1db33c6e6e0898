import { useSignal } from '@preact/signals';
import { missingSetting } from '../model/choice';
import { decide, giveUp, type Asked } from '../run/approval';

/** A call that waits for the user. The answer goes to the agent with the note. */
export function CallApproval({ asked }: { asked: Asked }) {
  const note = useSignal('');
  const { name, args, why } = asked.call;
  const rule = why.file ? `${why.file}, line ${why.line}` : why.rule;
  const text = note.value.trim() || undefined;
  const blocked = missingSetting.value !== null;
  return (
    <section class="notice tone-warn call-approval" aria-label="The agent asks">
      <div class="call-question">
        <p role="status"><strong>{asked.text}</strong> <span class="muted">{why.reason ?? `Rule ${why.rule}`} ({rule}). Nothing happens until you answer, in this tab or another one.</span></p>
        <details><summary>The call</summary><pre>{name} {JSON.stringify(args, null, 2)}</pre></details>
        <label>Note or reason for the agent <input type="text" value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} /></label>
      </div>
      <button type="button" class="primary" disabled={blocked} onClick={() => void decide({ decision: 'allow', note: text })}>Allow</button>
      <button type="button" disabled={blocked} onClick={() => void decide({ decision: 'revise', reason: text })}>Ask for another way</button>
      <button type="button" disabled={blocked} onClick={() => void decide({ decision: 'deny', reason: text })}>Deny</button>
      <button type="button" class="quiet" onClick={() => void giveUp()}>End the run</button>
    </section>
  );
}
