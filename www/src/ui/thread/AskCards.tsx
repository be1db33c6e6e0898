import { useSignal } from '@preact/signals';
import type { ToolQuestion } from 'loopgate';
import { useId } from 'preact/hooks';
import { missingSetting } from '../../model/choice';
import { decide, giveUp, type Asked, discardUnfinished, resumeUnfinished, skipPlan } from '../../run/approval';
import { plan, planReport } from '../../plan/plan';
import { choiceOf } from '../../run/cards';
import { clock, sentence } from '../../run/describe';
import { answer, setAside, unfinished, view } from '../../run/session';
import { messageOf } from '../../snapshots/snapshots';
import { isScriptForOther, OtherModel, ResumeButtons } from '../model/ModelButton';
import { showPlanSource } from '../../store';
import { focusComposer } from '../focus';
import { PlanOutline } from './CardView';

/** The questions of an unclear task. The composer takes a free answer. */
export function QuestionCard({ questions }: { questions: readonly string[] }) {
  const chosen = useSignal<string | null>(null);
  const name = useId();
  const { about, answers } = choiceOf(questions);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!chosen.value) return;
    void answer(chosen.value);
    focusComposer();
  };
  const leave = () => {
    setAside();
    focusComposer();
  };
  return (
    <form class="thread-card question-card tone-warn" aria-label="The task is unclear" onSubmit={submit}>
      <fieldset class="questions">
        <legend>{about ? <>What do you mean by {about}?</> : 'What do you mean?'}</legend>
        {answers.map(({ text, question }) => (
          <label key={question}><input type="radio" name={name} checked={chosen.value === question} onChange={() => (chosen.value = question)} /> {text}</label>
        ))}
      </fieldset>
      <div class="card-actions">
        <button type="submit" class="primary" disabled={!chosen.value || missingSetting.value !== null}>Answer</button>
        <button type="button" class="quiet" onClick={leave}>Write another task</button>
        <span class="muted small-text">Or write your own answer below. Nothing has changed yet.</span>
      </div>
    </form>
  );
}

/** Files that changed while a command ran and the page was closed. Each one is the user's unless the user gives it to the command. */
export function WhoseCard({ asked }: { asked: Extract<Asked, { kind: 'whose' }> }) {
  const given = useSignal<ReadonlySet<string>>(new Set());
  const name = useId();
  const blocked = missingSetting.value !== null || isScriptForOther(asked.runId);
  const give = (path: string, isAgents: boolean) => {
    given.value = new Set(isAgents ? [...given.value, path] : [...given.value].filter((other) => other !== path));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const value = Object.fromEntries(asked.files.map(({ path }) => [path, given.value.has(path) ? 'agent' : 'user']));
    void decide({ decision: 'allow', value });
    focusComposer();
  };
  return (
    <form class="thread-card question-card tone-warn" aria-label="Whose changes are these?" onSubmit={submit}>
      <p role="status"><strong>The page was closed while a command ran. Who changed these files?</strong> <span class="muted">They stay as they are until you answer.</span></p>
      {asked.files.map(({ path, change, what }) => (
        <fieldset class="questions" key={path}>
          <legend><code>{path}</code> <span class="muted">{change} · {what}</span></legend>
          <label><input type="radio" name={`${name} ${path}`} checked={!given.value.has(path)} onChange={() => give(path, false)} /> I did: keep it out of the commit</label>
          <label><input type="radio" name={`${name} ${path}`} checked={given.value.has(path)} onChange={() => give(path, true)} /> The command did: it is part of the work</label>
        </fieldset>
      ))}
      <div class="card-actions">
        <button type="submit" class="primary" disabled={blocked}>Answer and go on</button>
        <button type="button" class="quiet" onClick={() => void giveUp()}>End the run</button>
        <OtherModel runId={asked.runId} />
      </div>
    </form>
  );
}

/** A call or a plan that waits for the user. The answer goes to the agent with the note. */
export function ApprovalCard({ asked }: { asked: Exclude<Asked, { kind: 'whose' }> }) {
  const note = useSignal('');
  const text = note.value.trim() || undefined;
  const blocked = missingSetting.value !== null || isScriptForOther(asked.runId);
  const decided = (action: () => Promise<void>) => () => {
    void action();
    focusComposer();
  };
  const allow = decided(() => decide({ decision: 'allow', note: text }));
  const revise = decided(() => decide({ decision: 'revise', reason: text }));
  const deny = decided(() => decide({ decision: 'deny', reason: text }));
  const expires = asked.expiresAt ? ` The question expires on ${new Date(asked.expiresAt).toLocaleString()}.` : '';
  const isBroken = asked.kind === 'plan' && planReport.value?.ok === false;
  const isInConflict = asked.kind === 'plan' && plan.value.theirs !== undefined;
  return (
    <section class="thread-card approval-card tone-warn" aria-label={asked.kind === 'plan' ? 'The plan waits for you' : 'The agent asks'}>
      <p role="status"><strong>{sentence(asked.text)}</strong> <span class="muted">{asked.kind === 'tool' && `${ruleOf(asked.call)} `}Nothing happens until you answer, in this tab or another one.{expires}</span></p>
      {asked.kind === 'tool'
        ? <details><summary>The call</summary><pre tabIndex={0}>{asked.call.name} {JSON.stringify(asked.call.args, null, 2)}</pre></details>
        : <PlanOutline report={planReport.value?.ok ? planReport.value : asked.report} />}
      {isBroken && <p class="problem" role="alert">Your edit of the plan has errors. Correct them in the tab Plan.</p>}
      {isInConflict && <p class="problem" role="alert">The plan has changed on disk since you edited it. Choose a version in the tab Plan.</p>}
      <label>Note or reason for the agent <input type="text" value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} /></label>
      {asked.kind === 'tool' ? (
        <div class="card-actions">
          <button type="button" class="primary" disabled={blocked} onClick={allow}>Allow</button>
          <button type="button" disabled={blocked} onClick={revise}>Ask for another way</button>
          <button type="button" disabled={blocked} onClick={deny}>Deny</button>
          <button type="button" class="quiet" onClick={() => void giveUp()}>End the run</button>
          <OtherModel runId={asked.runId} />
        </div>
      ) : (
        <div class="card-actions">
          <button type="button" class="primary" disabled={blocked || isBroken || isInConflict} onClick={allow}>Approve</button>
          <button type="button" onClick={showPlanSource}>Edit</button>
          <button type="button" disabled={blocked} title="Do the task without a plan" onClick={decided(skipPlan)}>Skip</button>
          <button type="button" class="quiet" disabled={blocked} onClick={revise}>Ask for another plan</button>
          <button type="button" class="quiet" onClick={() => void giveUp()}>End the run</button>
          <OtherModel runId={asked.runId} />
        </div>
      )}
    </section>
  );
}

const ruleOf = ({ why }: ToolQuestion): string => `Asked by ${why.file ? `${why.file}, line ${why.line}` : why.rule}.`;

/** The run whose page was closed. */
export function InterruptedCard() {
  const run = unfinished.value;
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  if (!run) return null;
  const doing = (decision: () => Promise<void>) => async () => {
    [busy.value, problem.value] = [true, null];
    focusComposer();
    await decision().catch((error) => (problem.value = messageOf(error)));
    busy.value = false;
  };
  const { attempt } = view.value;
  return (
    <section class="thread-card interrupted-card tone-warn" aria-label="Unfinished run">
      <h2>Interrupted{attempt > 0 && ` in attempt ${attempt}`}, {clock(run.at)}</h2>
      <p>The page was closed before the run ended. Its work so far is in the files.</p>
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      <div class="card-actions">
        <ResumeButtons runId={run.runId} disabled={busy.value} onResume={doing(resumeUnfinished)} />
        <button type="button" disabled={busy.value} onClick={() => void doing(discardUnfinished)()}>Discard</button>
      </div>
    </section>
  );
}
