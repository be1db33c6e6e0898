import { useSignal } from '@preact/signals';
import type { PlanReport, ToolQuestion } from 'loopgate';
import { missingSetting } from '../model/choice';
import { decide, giveUp, type Asked } from '../run/approval';
import { MissingModel } from './model/ModelButton';

const WORDS = {
  tool: { label: 'The agent asks', allow: 'Allow', revise: 'Ask for another way' },
  plan: { label: 'The plan waits for you', allow: 'Build it', revise: 'Ask for another plan' },
};

/** A call or a plan that waits for the user. The answer goes to the agent with the note. */
export function Approval({ asked }: { asked: Asked }) {
  const note = useSignal('');
  const text = note.value.trim() || undefined;
  const blocked = missingSetting.value !== null;
  const { label, allow, revise } = WORDS[asked.kind];
  return (
    <section class="notice tone-warn call-approval" aria-label={label}>
      <div class="call-question">
        <p role="status"><strong>{asked.text}</strong> <span class="muted">{about(asked)} Nothing happens until you answer, in this tab or another one.{expiry(asked.expiresAt)}</span></p>
        {asked.kind === 'tool' && <details><summary>The call</summary><pre>{asked.call.name} {JSON.stringify(asked.call.args, null, 2)}</pre></details>}
        <label>Note or reason for the agent <input type="text" value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} /></label>
      </div>
      <button type="button" class="primary" disabled={blocked} onClick={() => void decide({ decision: 'allow', note: text })}>{allow}</button>
      <button type="button" disabled={blocked} onClick={() => void decide({ decision: 'revise', reason: text })}>{revise}</button>
      <button type="button" disabled={blocked} onClick={() => void decide({ decision: 'deny', reason: text })}>Deny</button>
      <button type="button" class="quiet" onClick={() => void giveUp()}>End the run</button>
      <MissingModel />
    </section>
  );
}

function about(asked: Asked): string {
  return asked.kind === 'tool' ? ruleOf(asked.call) : planOf(asked.report);
}

function ruleOf({ why }: ToolQuestion): string {
  return `${why.reason ?? `Rule ${why.rule}`} (${why.file ? `${why.file}, line ${why.line}` : why.rule}).`;
}

function planOf({ warnings }: PlanReport): string {
  const [first] = warnings;
  return first ? `The plan is valid. First warning: ${first.message}.` : 'The plan is valid: read it in the plan editor.';
}

const expiry = (at?: number): string => (at ? ` The question expires on ${new Date(at).toLocaleString()}.` : '');
