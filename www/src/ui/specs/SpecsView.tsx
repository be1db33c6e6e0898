import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { missingSetting } from '../../model/choice';
import { revision } from '../../project/project';
import { isRunning, otherTab, runSpecs, view } from '../../run/session';
import { unfinished } from '../../run/unfinished';
import { progress, readSpecs, rows, selected } from '../../specs/specs';
import { startup } from '../../start';
import { Icon } from '../Icon';
import { MissingModel } from '../model/ModelButton';
import { BranchBar } from '../BranchBar';
import { NewSpec } from './NewSpec';
import { SpecDetail } from './SpecDetail';
import { roleWords, SpecList } from './SpecList';

/** The specs of the project: their state, and the plans and attempts of the selected one. */
export function SpecsView() {
  const ready = 'ready' in startup.value;
  const writing = useSignal(false);
  useEffect(() => void readSpecs(), [revision.value]);
  if (!rows.value) return <p class="empty">Reading the specs …</p>;
  const locked = !ready || isRunning.value || missingSetting.value !== null;
  const run = (path?: string, force = false) => {
    unfinished.value = null;
    void runSpecs(path, force);
  };
  const current = isRunning.value ? progress.value.current : null;
  const specs = rows.value.filter(({ state }) => state.kind !== 'invalid');
  const left = specs.filter(({ state }) => state.kind !== 'done').length;
  // During a run, its spec is shown unless the user selected another one.
  const shown = rows.value.find(({ path }) => path === selected.value) ?? rows.value.find(({ path }) => path === current?.path) ?? rows.value[0];
  return (
    <div class="specs-view">
      <div class="code-path specs-bar">
        <p data-testid="specs-state">
          {current ? <Working /> : specs.length > 0 && `${specs.length - left} of ${specs.length} done`}
        </p>
        {!isRunning.value && <MissingModel />}
        <button type="button" class="small quiet" disabled={!ready || isRunning.value || writing.value} onClick={() => (writing.value = true)}>New spec</button>
        <button type="button" class="small primary" disabled={locked || left === 0} onClick={() => run()}><Icon name="play" /> Run all</button>
      </div>
      <BranchBar specs={specs.map(({ path }) => path.replace(/^specs\/(.*)\.md$/, '$1'))} />
      {writing.value && <NewSpec rows={rows.value} onClose={() => (writing.value = false)} />}
      {shown ? (
        <div class="specs-columns">
          <SpecList rows={rows.value} shown={shown.path} current={current} />
          <SpecDetail key={shown.path} row={shown} current={current?.path === shown.path ? current : null} locked={locked} onRun={run} />
        </div>
      ) : !writing.value && <NoSpecs />}
    </div>
  );
}

/** The progress of the run. */
function Working() {
  const { current, total, finished } = progress.value;
  const of = total > 1 ? `Spec ${finished + 1} of ${total}: ` : '';
  return (
    <>
      <span class="spinner" aria-hidden="true" /> {of}<strong>{current!.path}</strong>, {roleWords(current!.role)}, attempt {current!.iterations[current!.role] ?? 1}, plan {current!.attempt}
      {otherTab.value ? ' (in another tab)' : view.value.status === 'stopping' ? ' (stopping)' : ''}
    </>
  );
}

function NoSpecs() {
  return (
    <div class="empty specs-empty">
      <p>No specs yet. A spec is a file such as <code>specs/0001-dark-mode.md</code> with a heading and what you want. One agent plans it, one implements it, and one verifies the result.</p>
      <p>Write one, or start the story “A plan that is proved wrong”.</p>
    </div>
  );
}
