import type { ComponentChildren } from 'preact';
import { blockOf } from '../../model/choice';
import { count } from '../../run/describe';
import { runChunks, view } from '../../run/session';
import { requirementsIn } from '../../specs/draft';
import { editSteps, FINAL, isLocked, isWorkedOn, resultsOf, type Spec } from '../../specs/specs';
import { configProblem, shownStep, toast } from '../../store';
import { Icon } from '../Icon';
import { ModelSettingsButton } from '../model/ModelButton';
import { chooseTab, type Tab } from './AttemptPanel';
import { BranchBar } from './BranchBar';
import { Graph, type GraphNode } from './Graph';
import { useLog } from './log';
import { EditableMarkdown, Markdown } from './Markdown';
import { Settings } from './Settings';
import { StepDetail } from './StepDetail';
import { describeSpec, describeStep, money } from './words';

/** The steps of a spec: how far they are, the attempts, and what came out. */
export function ProgressPage({ spec }: { spec: Spec }) {
  const { id, title, text, steps, problem, cost } = spec;
  const isRunning = isWorkedOn(spec);
  const lines = useLog(spec);
  const locked = isLocked();
  const blocked = blockOf({ kind: 'chunks', spec: id });
  const missing = blocked ?? configProblem.value ?? problem ?? null;
  const { tone, text: state } = describeSpec(spec, undefined, isRunning);
  const own = steps.filter((step) => step.id !== FINAL);
  const isDone = own.length > 0 && own.every(({ state }) => state === 'shipped');
  const failure = !isRunning && view.value.work?.kind === 'chunks' && view.value.work.spec === id ? view.value.failure?.message : undefined;
  const needed = new Set(own.flatMap(({ dependencies = [] }) => dependencies));
  const last = steps.find((step) => step.id === FINAL);
  const nodes: GraphNode[] = own.map((step) => ({ id: step.id, title: step.title, dependencies: step.dependencies ?? [], state: step.state, ...describeStep(step, own, isRunning) }));
  nodes.push({ id: FINAL, title: 'Final review', dependencies: own.map((step) => step.id).filter((step) => !needed.has(step)), state: last?.state ?? 'pending', ...(last ? describeStep(last, own, isRunning) : { tone: 'neutral', icon: 'circle', text: 'Pending' }) });
  const chosen = shownStep.value?.spec === id ? shownStep.value : null;
  const shown = chosen?.step ?? (isRunning ? steps.find(({ state }) => state === 'running')?.id : undefined) ?? own.find(({ state }) => state === 'failed')?.id ?? own.find(({ state }) => state !== 'shipped')?.id ?? FINAL;
  const run = (only?: string[]) => void runChunks(id, only);
  return (
    <div class="progress-page">
      <header class="spec-head">
        <h3 id="spec-heading">{title}</h3>
        <span class={`pill tone-${tone}`} data-testid="spec-state">{state}</span>
        {cost > 0 && <span class="muted">{money(cost)}</span>}
        <span class="studio-space" />
        <button type="button" class="small quiet" disabled={locked || own.length === 0} onClick={() => void editSteps(spec)}>Edit the steps</button>
        {!isRunning && <button type="button" class={isDone ? 'small quiet' : 'small primary'} disabled={locked || missing !== null || own.length === 0} onClick={() => run()}><Icon name="play" /> Run</button>}
      </header>
      {missing && <p class="spec-note tone-bad" role="alert">{missing} {blocked && <ModelSettingsButton />}</p>}
      {failure && failure !== missing && <p class="spec-note tone-warn">{failure}</p>}
      {isRunning && <p class="spec-activity" role="status"><span class="spinner" aria-hidden="true" /> {lines.at(-1)?.text ?? 'Preparing …'}</p>}
      {own.length > 0 && <Graph nodes={nodes} current={shown} onChoose={(step) => (shownStep.value = { spec: id, step, attempt: 0 })} />}
      {own.length > 0 && <StepDetail key={shown} spec={spec} step={steps.find((step) => step.id === shown)} number={chosen?.step === shown ? chosen.attempt : 0} onRun={locked || missing ? null : (step) => run([step])} />}
      <Results spec={spec} />
      {isDone && spec.pullRequest && <PullRequest text={spec.pullRequest} id={id} />}
      <BranchBar specs={[id]} />
      <details class="spec-part">
        <summary>Spec</summary>
        <EditableMarkdown text={text} locked={locked} file={`${spec.path}/spec.md`} />
      </details>
      <Settings locked={locked} />
    </div>
  );
}

/** What became of each requirement: the steps that name it, their commits and their checks. */
function Results({ spec }: { spec: Spec }) {
  const requirements = requirementsIn(spec.text);
  if (!requirements.length || !spec.steps.length) return null;
  return (
    <section class="spec-part" aria-labelledby="results-heading">
      <h4 id="results-heading">Requirements</h4>
      <ul class="results">
        {requirements.map(({ id, text }) => {
          const steps = resultsOf(spec, id);
          const isShown = steps.length > 0 && steps.every(({ state }) => state === 'shipped');
          return (
            <li key={id} data-requirement={id} class={`tone-${isShown ? 'good' : steps.length ? 'neutral' : 'warn'}`}>
              <Icon name={isShown ? 'check' : steps.length ? 'circle' : 'warning'} /> <span><strong>{id}</strong> {text}</span>
              <span class="muted">{steps.length ? steps.map((step) => <StepResult key={step.id} spec={spec} step={step} />) : 'No step names it'}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The step, its commit and its checks, each with a link to the record of the attempt that shipped. */
function StepResult({ spec, step: { id, title, state, commit, attempts } }: { spec: Spec; step: Spec['steps'][number] }) {
  const shipped = state === 'shipped' ? attempts.findLast(({ outcome }) => outcome === 'shipped') : undefined;
  const open = (tab: Tab) => {
    shownStep.value = { spec: spec.id, step: id, attempt: shipped?.number ?? 0 };
    chooseTab(tab);
    requestAnimationFrame(() => {
      const heading = document.getElementById('step-heading');
      heading?.scrollIntoView({ block: 'start' });
      heading?.focus({ preventScroll: true });
    });
  };
  const link = (tab: Tab, words: ComponentChildren) => <button type="button" class="link" onClick={() => open(tab)}>{words}</button>;
  const passed = shipped?.verification.filter(({ outcome }) => outcome === 'passed').length ?? 0;
  const reviews = Object.values(shipped?.reviews ?? {}).filter((review) => review?.decision === 'SHIP').length;
  return (
    <span>
      {link('difference', title)}
      {commit && <> · <code>{commit.slice(0, 7)}</code></>} · {shipped ? (
        <>
          {passed > 0 && link('verification', `${count(passed, 'check')} passed`)}
          {passed > 0 && reviews > 0 && ', '}
          {reviews > 0 && link('issues', `${count(reviews, 'review')} approved`)}
          {!passed && !reviews && 'shipped, no check ran'}
        </>
      ) : state}
    </span>
  );
}

function PullRequest({ text, id }: { text: string; id: string }) {
  // On an insecure address, there is no clipboard.
  const copy = async () => {
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    toast.value = { text: isCopied ? 'The text is copied' : 'The browser does not allow copying. Select the text instead.' };
  };
  return (
    <section class="spec-part pull-request" aria-labelledby="pull-request-heading">
      <h4 id="pull-request-heading">Pull request <code class="muted">spec/{id}</code> <button type="button" class="small quiet" onClick={() => void copy()}>Copy the text</button></h4>
      <Markdown text={text} />
    </section>
  );
}
