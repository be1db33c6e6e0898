import { useSignal } from '@preact/signals';
import { type Chunk, type ListedChunk, estimate } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import { host } from '../../host/host';
import { blockOf, modelOptions } from '../../model/choice';
import { count, dollars } from '../../run/describe';
import { view } from '../../run/session';
import { requirementsOf, unnamedIn } from '../../specs/draft';
import { layer } from '../../specs/settings';
import { approve, changeDraft, discardDraft, isLocked, isWorkedOn, proposeAgain, reject, split, type Spec } from '../../specs/specs';
import { addStep, changeStep, checkSteps, moveStep, pathsIn, putBack, removalOf, removeStep, type StepsReport } from '../../specs/steps';
import { config, configProblem, otherTab } from '../../store';
import { announce } from '../announce';
import { Dialog } from '../Dialog';
import { isScriptForOther, ModelSettingsButton, OtherModel } from '../model/ModelButton';
import { Graph } from './Graph';
import { useLog } from './log';
import { Settings } from './Settings';
import { Footer, SaveDraft, type StudioProps } from './Studio';

type View = 'list' | 'graph' | 'order';

/** The steps as cards: the ones that a planner proposed, until the user decides, or the steps of the spec. */
export function Steps({ spec, draft }: StudioProps) {
  return draft.steps ? <Cards spec={spec} draft={draft} steps={draft.steps} /> : <Planning spec={spec} draft={draft} />;
}

/** The planner works, or it gave up. */
function Planning({ spec, draft }: StudioProps) {
  const lines = useLog(spec);
  const isPlanning = isWorkedOn(spec);
  const { result, failure } = view.value;
  const blocked = blockOf({ kind: 'chunks', spec: spec.id });
  return (
    <>
      <div class="studio-body">
        {isPlanning
          ? <p role="status"><span class="spinner" aria-hidden="true" /> The planner reads the spec and the project … <span class="muted">{lines.at(-1)?.text}</span></p>
          : <p class="spec-note tone-warn" role="status">There are no steps yet. {blocked ?? failure?.message ?? (result?.success === false ? result.message : '')} {blocked && <ModelSettingsButton />}</p>}
      </div>
      <Footer>
        <button type="button" class="quiet" disabled={isPlanning} onClick={() => changeDraft(spec.id, { stage: 'review' })}>Back</button>
        <span class="studio-space" />
        <button type="button" disabled={isPlanning} onClick={() => changeDraft(spec.id, { steps: [], proposed: [] })}>Write the steps yourself</button>
        <button type="button" class="primary" disabled={isLocked() || blocked !== null} onClick={() => void split(spec.id, draft)}>Split into steps</button>
      </Footer>
    </>
  );
}

function Cards({ spec, draft, steps }: StudioProps & { steps: Chunk[] }) {
  const list = useRef<HTMLOListElement>(null);
  const shown = useSignal<View>('list');
  const open = useSignal<number | null>(null);
  const dialog = useSignal<'reject' | 'again' | null>(null);
  const reason = useSignal('');
  const report = checkSteps(steps);
  const blocked = blockOf({ kind: 'chunks', spec: spec.id });
  const problems = [...(report.problems.get(-1) ?? []), ...(blocked ? [blocked] : []), ...(configProblem.value ? [configProblem.value] : [])];
  const isEdited = JSON.stringify(steps) !== JSON.stringify(draft.proposed);
  const isApproved = spec.steps.length > 0;
  const isForOther = spec.waits !== undefined && isScriptForOther(spec.waits.run.runId);
  const locked = isLocked();
  const unnamed = unnamedIn(draft.text || spec.text, steps);
  const { removed } = draft;
  const set = (next: Chunk[]) => changeDraft(spec.id, { steps: next });
  const focusCard = (at: number) => requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('summary')[at]?.focus());
  const change = (next: Chunk[], at: number, opened: number | null = at) => {
    set(next);
    open.value = opened;
    focusCard(at);
  };
  const remove = (at: number) => {
    changeDraft(spec.id, { removed: removalOf(steps, at) });
    change(removeStep(steps, at), Math.max(0, at - 1), null);
    announce('Step removed');
  };
  const undoRemove = () => {
    if (removed) change(putBack(steps, removed), removed.at, null);
    changeDraft(spec.id, { removed: null });
  };
  const leave = async () => {
    if (isApproved) await discardDraft(spec.id);
    else await reject(spec);
    announce(isApproved ? 'Changes discarded' : 'Steps rejected');
  };
  return (
    <>
      <div class="studio-body" inert={otherTab.value !== null}>
        <Settings locked={locked} />
        <div class="steps-bar">
          <div class="segments" role="radiogroup" aria-label="View">
            {(['list', 'graph', 'order'] as const).map((view) => <label key={view}><input type="radio" name="steps-view" checked={shown.value === view} onChange={() => (shown.value = view)} />{view}</label>)}
          </div>
          <span class="studio-space" />
          {spec.waits && <button type="button" class="small quiet" disabled={locked || isForOther} onClick={() => (dialog.value = 'again')}>Propose again</button>}
          <button type="button" class="small" onClick={() => change(addStep(steps), steps.length)}>Add a step</button>
        </div>
        {removed && <p class="spec-note tone-neutral" role="status">Removed “{removed.step.title || removed.step.id}”. <button type="button" class="small" onClick={undoRemove}>Undo</button></p>}
        {unnamed.length > 0 && <p class="spec-note tone-warn unnamed" role="status">No step names {unnamed.join(', ')}, so the run does not build {unnamed.length === 1 ? 'it' : 'them'}.</p>}
        {isForOther && <p class="spec-note tone-warn"><OtherModel runId={spec.waits!.run.runId} /></p>}
        {problems.map((problem) => <p key={problem} class="spec-note tone-bad" role="status">{problem} {problem === blocked && <ModelSettingsButton />}</p>)}
        {shown.value === 'list' && (
          <ol class="cards" ref={list}>
            {steps.map((step, at) => (
              <Card key={at} steps={steps} at={at} report={report} shipped={spec.steps.find(({ id, state }) => id === step.id && state === 'shipped')} isOpen={open.value === at}
                onToggle={(isOpen) => (isOpen ? (open.value = at) : open.value === at && (open.value = null))}
                onChange={(fields) => set(changeStep(steps, at, fields))} onMove={(by) => change(moveStep(steps, at, by), at + by)} onRemove={() => remove(at)} />
            ))}
          </ol>
        )}
        {shown.value === 'graph' && <Graph nodes={steps.map(({ id, title, dependencies = [] }, at) => ({ id, title: title || id, dependencies, tone: report.problems.has(at) ? 'bad' : 'neutral', icon: 'circle', text: `Step ${at + 1}` }))} onChoose={(id) => { shown.value = 'list'; open.value = steps.findIndex((step) => step.id === id); focusCard(open.value); }} />}
        {shown.value === 'order' && (report.order.length
          ? <ol class="steps-order">{report.order.map((id) => <li key={id}>{steps.find((step) => step.id === id)?.title}</li>)}</ol>
          : <p class="muted">There is an order once the problems are solved.</p>)}
      </div>
      <Footer>
        {!spec.waits && !isApproved && <button type="button" class="quiet" onClick={() => changeDraft(spec.id, { stage: 'review' })}>Back</button>}
        <SaveDraft />
        <button type="button" class="quiet" disabled={locked} onClick={() => (isEdited ? (dialog.value = 'reject') : void leave())}>{isApproved ? 'Discard changes' : 'Reject'}</button>
        <span class="studio-space" />
        {unnamed.length > 0 && <span class="spec-warning tone-warn">Without {unnamed.join(', ')}</span>}
        <Price spec={spec} steps={steps} />
        <button type="button" class="primary" disabled={locked || isForOther || report.problems.size > 0 || problems.length > 0} onClick={() => void approve(spec, draft, steps)}>Approve and run</button>
      </Footer>
      {dialog.value === 'reject' && <Dialog title={isApproved ? 'Discard the changes?' : 'Reject the steps?'} confirm={isApproved ? 'Discard' : 'Reject'} isDanger onConfirm={() => void leave()} onClose={() => (dialog.value = null)}><p>Your edits of the steps are lost.</p></Dialog>}
      {dialog.value === 'again' && (
        <Dialog title="Propose other steps?" confirm="Propose again" onConfirm={() => void proposeAgain(spec, reason.value)} onClose={() => (dialog.value = null)}>
          {isEdited && <p>Your edits of the steps are lost.</p>}
          <label class="studio-field">What should be different?<textarea rows={3} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} /></label>
        </Dialog>
      )}
    </>
  );
}

/** What the run will probably cost, by the earlier ones. */
function Price({ spec: { id }, steps }: { spec: Spec; steps: Chunk[] }) {
  const price = useSignal('');
  useEffect(() => {
    void estimate({ ...host, ...modelOptions(config.peek()), config: layer() }, { kind: 'chunks', spec: id }).then(
      ({ costUsd }) => (price.value = costUsd === 'unknown' ? '' : `, ${dollars((costUsd.min + costUsd.max) / 2, true)}`),
      () => {},
    );
  }, [id]);
  return <span class="muted" data-testid="steps-price">{count(steps.length, 'step')}{price.value}</span>;
}

interface CardProps {
  steps: readonly Chunk[];
  at: number;
  report: StepsReport;
  /** The step as it was shipped. */
  shipped: ListedChunk | undefined;
  isOpen: boolean;
  onToggle(open: boolean): void;
  onChange(change: Partial<Chunk>): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
}

function Card({ steps, at, report, shipped, isOpen, onToggle, onChange, onMove, onRemove }: CardProps) {
  const { id, title, description, relevantFiles = [], dependencies = [], maxIterations } = steps[at]!;
  const name = title || `Step ${at + 1}`;
  const numbers = dependencies.map((dependency) => steps.findIndex((step) => step.id === dependency) + 1).filter(Boolean);
  const below = numbers.filter((number) => number > at + 1);
  const runsAgain = shipped && (shipped.title !== title || shipped.description !== description || (shipped.dependencies ?? []).join() !== dependencies.join());
  const depend = (other: string, on: boolean) => onChange({ dependencies: on ? [...dependencies, other] : dependencies.filter((id) => id !== other) });
  return (
    <li>
      <details class="step-card" data-step={id} open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
        <summary>
          <span class="step-number">{at + 1}</span>
          <span class="step-title">{title || <em class="muted">No title</em>}</span>
          {requirementsOf(steps[at]!).map((requirement) => <span key={requirement} class="tag">{requirement}</span>)}
          {shipped && <span class={`pill tone-${runsAgain ? 'warn' : 'good'}`}>{runsAgain ? 'Shipped, runs again' : 'Shipped'}</span>}
          <span class="step-line">{description.split('\n', 1)[0]}</span>
          <span class="step-facts muted">{[numbers.length > 0 && `after ${numbers.join(', ')}`, relevantFiles.join(', ')].filter(Boolean).join(' · ')}</span>
          {below.length > 0 && <span class="spec-warning tone-warn step-facts" role="status">It needs {below.join(', ')} below, so it runs later.</span>}
          {report.problems.get(at)?.map((problem) => <span key={problem} class="problem step-facts" role="status">{problem}</span>)}
        </summary>
        {isOpen && (
          <div class="step-fields" role="group" aria-label={name}>
            <label class="studio-field">Title<input type="text" value={title} onInput={(event) => onChange({ title: event.currentTarget.value })} /></label>
            <label class="studio-field">What to build, and how to see that it works<textarea rows={4} value={description} onInput={(event) => onChange({ description: event.currentTarget.value })} /></label>
            <label class="studio-field">Relevant files<input type="text" value={relevantFiles.join(', ')} spellcheck={false} onChange={(event) => onChange({ relevantFiles: pathsIn(event.currentTarget.value) })} /></label>
            {steps.length > 1 && (
              <div class="step-after" role="group" aria-label={`${name} comes after`}>
                <span class="muted" aria-hidden="true">After</span>
                {steps.map((other, index) => index !== at && (
                  <label key={other.id} class="chip-check"><input type="checkbox" checked={dependencies.includes(other.id)} onChange={(event) => depend(other.id, event.currentTarget.checked)} />{index + 1} {other.title || other.id}</label>
                ))}
              </div>
            )}
            <details>
              <summary>Details</summary>
              <div class="step-details">
                <label class="studio-field">Id<input type="text" value={id} spellcheck={false} onChange={(event) => onChange({ id: event.currentTarget.value.trim() })} /></label>
                <label class="studio-field">Attempts at most<input type="number" min={1} max={20} value={maxIterations ?? ''} placeholder="as in the settings" onInput={(event) => onChange({ maxIterations: Number.isNaN(event.currentTarget.valueAsNumber) ? undefined : event.currentTarget.valueAsNumber })} /></label>
              </div>
            </details>
            <div class="step-actions">
              <button type="button" class="small quiet" disabled={at === 0} aria-label={`Move ${name} up`} onClick={() => onMove(-1)}>↑ Up</button>
              <button type="button" class="small quiet" disabled={at === steps.length - 1} aria-label={`Move ${name} down`} onClick={() => onMove(1)}>↓ Down</button>
              <span class="studio-space" />
              <button type="button" class="small quiet" aria-label={`Remove ${name}`} onClick={onRemove}>Remove</button>
            </div>
          </div>
        )}
      </details>
    </li>
  );
}
