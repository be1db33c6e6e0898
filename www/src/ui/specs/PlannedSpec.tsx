import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { deleteFile } from '../../code/documents';
import { blockOf } from '../../model/choice';
import { readText, revision, tree } from '../../project/project';
import { filePaths } from '../../project/tree';
import { clock } from '../../run/describe';
import { runSpecs } from '../../run/session';
import { isLocked, isWorkedOn, type Spec } from '../../specs/specs';
import { shownSpec } from '../../store';
import { Dialog } from '../Dialog';
import { Icon } from '../Icon';
import { ModelSettingsButton } from '../model/ModelButton';
import { useLog } from './log';
import { EditableMarkdown, Markdown } from './Markdown';
import { describeSpec, money } from './words';

/** A spec in one go: its text, its plans, and what its runs did. */
export function PlannedSpec({ spec }: { spec: Spec }) {
  const { path, title, text, cost } = spec;
  const { state, reason, feedback } = spec.listed!;
  const isRunning = isWorkedOn(spec);
  const lines = useLog(spec);
  const deleting = useSignal(false);
  const locked = isLocked();
  const blocked = blockOf({ kind: 'spec', path });
  const isDone = state === 'done';
  const { tone, text: words } = describeSpec(spec, undefined, isRunning);
  const remove = () => void deleteFile(path).then(() => (shownSpec.value = null));
  return (
    <>
      <header class="spec-head">
        <h3 id="spec-heading">{title}</h3>
        <span class={`pill tone-${tone}`} data-testid="spec-state">{words}</span>
        {cost > 0 && <span class="muted">{money(cost)}</span>}
        <span class="studio-space" />
        <button type="button" class="small quiet" disabled={locked} onClick={() => (deleting.value = true)}>Delete</button>
        {state !== 'not-a-spec' && <button type="button" class={`small ${isDone ? 'quiet' : 'primary'}`} disabled={locked || blocked !== null} onClick={() => void runSpecs(path, isDone)}><Icon name={isDone ? 'restore' : 'play'} /> {isDone ? 'Run again' : 'Run'}</button>}
      </header>
      <code class="muted">{path}</code>
      {blocked && <p class="spec-note tone-warn">{blocked} <ModelSettingsButton /></p>}
      {reason && <p class={`spec-note tone-${state === 'failed' ? 'bad' : 'neutral'}`}>{reason}</p>}
      {feedback && <p class="spec-note tone-warn">The next attempt must fix:{'\n'}{feedback}</p>}
      {isRunning && <p class="spec-activity" role="status"><span class="spinner" aria-hidden="true" /> {lines.at(-1)?.text ?? 'Preparing …'}</p>}
      <div class="spec-part"><EditableMarkdown text={text} locked={locked} file={path} /></div>
      <Plans path={path} />
      {lines.length > 0 && (
        <section class="spec-part" aria-labelledby="history-heading">
          <h4 id="history-heading">History</h4>
          <ol class="history">{lines.map(({ at, kind, text }, index) => <li key={index} class={`tone-${kind === 'good' ? 'good' : kind === 'bad' ? 'bad' : 'neutral'}`}><span class="muted">{clock(at)}</span> {text}</li>)}</ol>
        </section>
      )}
      {deleting.value && <Dialog title={`Delete “${title}”?`} confirm="Delete" isDanger onConfirm={remove} onClose={() => (deleting.value = false)}><p><code>{path}</code> is deleted. Plans and logs stay.</p></Dialog>}
    </>
  );
}

/** The plan of the spec, and those that were set aside, newest first. */
function Plans({ path }: { path: string }) {
  const plans = useSignal<Array<{ name: string; text: string }>>([]);
  const start = path.replace(/^specs\/(.*)\.md$/, 'specs/plans/$1');
  useEffect(() => {
    const found = filePaths(tree.peek()).flatMap((file) => {
      const number = file.startsWith(start) ? /^(?:\.attempt-(\d+))?\.md$/.exec(file.slice(start.length)) : null;
      return number ? [{ file, number: Number(number[1] ?? Infinity) }] : [];
    });
    const read = found.sort((a, b) => b.number - a.number).map(async ({ file, number }) => ({ name: number === Infinity ? 'Plan' : `Plan ${number}, set aside`, text: (await readText(file)) ?? '' }));
    void Promise.all(read).then((all) => (plans.value = all.filter(({ text }) => text.trim())));
  }, [path, revision.value]);
  return <>{plans.value.map(({ name, text }) => <details key={name} class="spec-part"><summary>{name}</summary><Markdown text={text} /></details>)}</>;
}
