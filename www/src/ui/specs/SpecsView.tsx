import { useEffect } from 'preact/hooks';
import { blockOf } from '../../model/choice';
import { revision } from '../../project/project';
import { runSpecs } from '../../run/session';
import { isEditedElsewhere } from '../../specs/owner';
import { draftOf, editHere, isLocked, isWorkedOn, newSpec, readSpecs, writeDrafts, type Spec } from '../../specs/specs';
import { titleOf } from '../../specs/draft';
import { drafts, otherTab, shownSpec, specs, startup } from '../../store';
import { Icon } from '../Icon';
import { BranchBar } from './BranchBar';
import { PlannedSpec } from './PlannedSpec';
import { ProgressPage } from './ProgressPage';
import { Studio } from './Studio';
import { describeSpec, money } from './words';

/** The specs: a list, and the studio, the progress or the history of the shown one. */
export function SpecsView() {
  useEffect(() => void readSpecs(), [revision.value]);
  useEffect(() => {
    const write = () => void writeDrafts();
    const look = () => void (document.hidden || readSpecs());
    addEventListener('pagehide', write);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('pagehide', write);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  if (!specs.value) return <p class="empty">Reading the specs …</p>;
  const all = specs.value;
  const chosen = all.find(({ path }) => path === shownSpec.value);
  const shown = chosen ?? all.find(isWorkedOn) ?? all.find(({ waits }) => waits) ?? all[0];
  const left = all.filter(({ listed }) => listed && listed.state !== 'done' && listed.state !== 'not-a-spec').length;
  const locked = isLocked();
  return (
    <div class={`specs-view ${chosen ? 'detail-first' : ''}`}>
      <nav class="specs-list" aria-label="Specs">
        <div class="specs-head">
          <h2>Specs</h2>
          {left > 1 && <button type="button" class="small quiet" disabled={locked || blockOf({ kind: 'spec' }) !== null} onClick={() => void runSpecs()}><Icon name="play" /> Run all</button>}
          <button type="button" class="small" disabled={!('ready' in startup.value) || otherTab.value !== null} onClick={() => void newSpec()}>New spec</button>
        </div>
        <ul>{all.map((spec) => <Row key={spec.path} spec={spec} isShown={spec === shown} />)}</ul>
        {!all.length && <p class="empty">No specs yet. Write down what you want; loopgate asks what is unclear, splits it into steps, and builds, checks and commits each of them.</p>}
      </nav>
      {shown && (
        <section class="spec-detail" aria-labelledby="spec-heading" tabIndex={-1}>
          <button type="button" class="small quiet spec-back" onClick={() => (shownSpec.value = null)}>‹ All specs</button>
          <Detail key={shown.path} spec={shown} />
        </section>
      )}
    </div>
  );
}

function Row({ spec, isShown }: { spec: Spec; isShown: boolean }) {
  const { path, title, cost } = spec;
  const draft = drafts.value.get(spec.id);
  const { tone, icon, text } = describeSpec(spec, draft, isWorkedOn(spec));
  return (
    <li>
      <button type="button" class={`quiet spec tone-${tone}`} data-spec={path} aria-current={isShown ? 'true' : undefined} onClick={() => (shownSpec.value = path)}>
        <Icon name={icon} />
        <span class="spec-title">{draft ? draft.title || titleOf(draft.idea) || 'New spec' : title}</span>
        <span class="spec-state">{text}{cost > 0 && <span class="muted"> · {money(cost)}</span>}</span>
      </button>
    </li>
  );
}

function Detail({ spec }: { spec: Spec }) {
  if (spec.listed) return <><PlannedSpec spec={spec} /><BranchBar specs={[spec.id.replace(/^specs\/|\.md$/g, '')]} /></>;
  // A spec that somebody else wrote goes on where its text is reviewed.
  const draft = drafts.value.get(spec.id) ?? (spec.steps.length || spec.problem ? null : draftOf(spec));
  if (!draft) return <ProgressPage spec={spec} />;
  return (
    <>
      {isEditedElsewhere.value && <p class="spec-note tone-warn" role="status">The drafts are open in another tab. <button type="button" class="small" onClick={() => void editHere()}>Edit here</button></p>}
      <fieldset class="studio-lock" disabled={isEditedElsewhere.value}><Studio spec={spec} draft={draft} /></fieldset>
    </>
  );
}
