import { useSignal } from '@preact/signals';
import { changes, type Requirement, type RunChange } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import { host } from '../../host/host';
import { previewErrors } from '../../host/preview';
import { missingSetting, modelError } from '../../model/choice';
import { cardsOf, endingOf, checkedOf, VERDICTS, type Action } from '../../run/cards';
import { capital, count } from '../../run/describe';
import { again, changed, isRunning, undoChanges, view as newest } from '../../run/session';
import type { RunView } from '../../run/view';
import { currentVersion, messageOf, placeOfRun, restore, snapshots, undoRestore } from '../../snapshots/snapshots';
import { nameOf } from '../../snapshots/versions';
import { pathOf } from '../../specs/specs';
import { propose } from '../../task/preview';
import { dialog, openFileAt, shownSpec, showTab, toast } from '../../store';
import { Icon } from '../Icon';
import { isScriptForOther, OtherModel } from '../model/ModelButton';
import { CardView } from './CardView';
import { focusComposer } from '../focus';
import { TONE_ICONS } from './LineRow';

const LABELS: Record<Action, string> = {
  review: 'Review the steps', preview: 'Preview', changes: 'Changes', restore: 'Restore before', forward: 'Restore this version', continue: 'Continue', undo: 'Undo the changes', edit: 'Edit the task', again: 'Try again', model: 'Connect another model',
};

/** How a run ended. An earlier run is folded to its title, and has its attempts inside. */
export function ResultCard({ view, isFolded = false }: { view: RunView; isFolded?: boolean }) {
  const place = placeOfRun(view);
  const ending = endingOf(view, place)!;
  const isOpen = useSignal(!isFolded);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // The focus is lost if the button that had it is gone. A page that was only loaded had none.
    if (!isFolded && document.activeElement === document.body && navigator.userActivation.hasBeenActive) card.current?.focus();
  }, []);
  const advice = !isFolded && modelError.value && capital(modelError.value);
  // The advice has the words of the server.
  const text = capital((view.failure?.code === 'model' && advice) || ending.text);
  const isAway = place === 'later' || (place === 'before' && view.result?.success);
  const isChanged = !isFolded && !isRunning.value && view.result?.success && place === null && snapshots.value.some(({ tag }) => tag === view.result!.snapshots.post);
  const errors = isChanged ? previewErrors.value.length : 0;
  const tone = errors ? 'warn' : isChanged && ending.tone === 'good' ? 'neutral' : ending.tone;
  return (
    <details class={`thread-card result-card tone-${tone} ${isAway ? 'is-later' : ''}`} open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)} data-testid={isFolded ? undefined : 'outcome'}>
      <summary ref={card}><Icon name={TONE_ICONS[tone]} /> <strong>{ending.title}</strong>{place === 'current' && <span class="pill tone-good">Current</span>}</summary>
      {isOpen.value && (
        <>
          {isFolded && <div class="earlier-cards">{cardsOf(view).slice(1).map((card, at) => <CardView key={at} card={card} />)}</div>}
          <p class="result-text">{text}</p>
          {isChanged && <p class={errors ? 'problem' : 'muted'}>The files have changed since{errors ? <>, and the page has {count(errors, 'error')}. <button type="button" class="link" onClick={() => showTab('preview')}>Show</button></> : '.'}</p>}
          {place === 'before' && <p class="muted">The files are as before this task.</p>}
          {place === 'later' && <p class="muted">Not in the files now: {nameOf(currentVersion.value!)} is restored.</p>}
          {advice && !text.includes(advice) && <p class="advice">{advice}</p>}
          {ending.requirements.length > 0 && <Requirements reports={ending.requirements} version={isAway ? view.result?.snapshots.post : undefined} />}
          {ending.failed && <p>{ending.failed}</p>}
          <p class="muted facts">{view.result?.reason !== 'stalled' && place !== 'before' && <Files view={view} isThere={place !== 'later'} />}{ending.facts}</p>
          <Actions view={view} actions={ending.actions.filter((action) => (isFolded ? action === 'restore' || action === 'forward' : action !== 'undo' || changed.value.length))} />
        </>
      )}
    </details>
  );
}

/** `version`: the snapshot with the files, if they are not the present ones. */
const Requirements = ({ reports, version }: { reports: readonly Requirement[]; version?: string }) => (
  <section class="requirements" aria-label="Requirements">
    <h2>{checkedOf(reports)}</h2>
    <ul>
      {reports.map(({ id, text, verdict, evidence }) => (
        <li key={id} class={`tone-${VERDICTS[verdict].tone}`} data-verdict={verdict}>
          <Icon name={TONE_ICONS[VERDICTS[verdict].tone]} />
          <span>
            {text}: <strong>{VERDICTS[verdict].text}</strong>
            {evidence.map((one) => <Evidence key={`${one.by} ${one.text}`} {...one} version={version} />)}
          </span>
        </li>
      ))}
    </ul>
  </section>
);

/** What was found with its hit, and a link to the place. */
export const Evidence = ({ text, file, line, start, end, version }: Requirement['evidence'][number] & { version?: string }) => (
  <span class="evidence muted">{start === undefined ? text : <>{text.slice(0, start)}<mark>{text.slice(start, end)}</mark>{text.slice(end)}</>}{file && <> <button type="button" class="link" onClick={() => openFileAt(file, line, version)}>{file}{line && `:${line}`}</button></>}</span>
);

/** `6 files +143 −4`, as a link to the changes if they are there. */
function Files({ view, isThere }: { view: RunView; isThere: boolean }) {
  const own = useSignal<readonly RunChange[]>([]);
  const isNewest = view.runId === newest.value.runId;
  useEffect(() => {
    if (!isNewest && view.runId) void changes(host, { runId: view.runId }).then((found) => (own.value = found), () => {});
  }, [view.runId, isNewest]);
  const files = isNewest ? changed.value : own.value;
  if (!files.length) return null;
  const sum = (key: 'added' | 'removed') => files.reduce((all, file) => all + file[key], 0);
  const text = `${count(files.length, 'file')} +${sum('added')} −${sum('removed')}`;
  return <>{isThere ? <button type="button" class="link" onClick={() => showTab('changes')}>{text}</button> : text} · </>;
}

function Actions({ view, actions }: { view: RunView; actions: readonly Action[] }) {
  const problem = useSignal<string | null>(null);
  const busy = useSignal(false);
  const doing = async (work: () => Promise<void>) => {
    busy.value = true;
    problem.value = await work().then(() => null, messageOf);
    busy.value = false;
  };
  const goOn = () => {
    void again(view);
    focusComposer();
  };
  const act: Record<Action, () => void> = {
    review: () => {
      if (view.work?.kind === 'chunks') shownSpec.value = pathOf(view.work.spec);
      showTab('specs');
    },
    preview: () => showTab('preview'),
    changes: () => showTab('changes'),
    restore: () => void doing(() => restore(view.result!.snapshots.pre!, 'the version before this task')),
    forward: () => void doing(() => restore(view.result!.snapshots.post!, 'this version')),
    undo: () => void doing(async () => {
      const { files, conflicts } = await undoChanges(view);
      const kept = conflicts.length ? ` You changed the same lines in ${conflicts.join(', ')}, so these stay.` : '';
      // Without a file, it would undo an earlier restore.
      toast.value = { text: `Undid the changes in ${count(files, 'file')}.${kept}`, ...(files > 0 && { undo: undoRestore }) };
    }),
    continue: goOn,
    again: goOn,
    edit: () => {
      if (view.work?.kind === 'task') propose(view.work.message);
      focusComposer();
    },
    model: () => (dialog.value = 'model'),
  };
  const goesOn = actions.includes('continue') && view.runId !== undefined;
  const cannotRun = missingSetting.value !== null || (goesOn && isScriptForOther(view.runId!));
  const runs = (action: Action) => action === 'continue' || action === 'again';
  return (
    <>
      <div class="card-actions">
        {actions.map((action, at) => (
          <button key={action} type="button" class={at === 0 ? 'primary' : ''} disabled={busy.value || isRunning.value || (runs(action) && cannotRun)} onClick={act[action]}>{LABELS[action]}</button>
        ))}
        {goesOn && <OtherModel runId={view.runId!} />}
      </div>
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
    </>
  );
}
