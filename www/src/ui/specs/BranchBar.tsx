import { useEffect, useRef } from 'preact/hooks';
import { revision } from '../../project/project';
import { isRunning } from '../../run/session';
import { branchOf, busy, goBack, outcome, readHead, specBranch } from '../../specs/branch';
import { startup } from '../../store';

/** The ways back from the branch of one of these specs, after its run. */
export function BranchBar({ specs }: { specs: readonly string[] }) {
  useEffect(() => {
    if (isRunning.value) outcome.value = null;
    else void readHead();
  }, [revision.value, isRunning.value]);
  const result = useRef<HTMLParagraphElement>(null);
  const isShown = (branch: string | undefined) => specs.some((spec) => branchOf(spec) === branch);
  const branch = specBranch.value && isShown(specBranch.value) ? specBranch.value : null;
  const said = isShown(outcome.value?.own) ? outcome.value : null;
  // The buttons are gone after a success, and the focus would be lost with them.
  useEffect(() => {
    if (said && !branch) result.current?.focus();
  }, [said, branch]);
  if (!branch && !said) return null;
  const locked = busy.value !== null || !('ready' in startup.value);
  return (
    <section class="spec-part branch-bar" aria-label="Branch of the spec" aria-busy={busy.value !== null}>
      {branch && (
        <div class="branch-ways">
          <p>The project is on the branch <code>{branch}</code>, which has the commits of the run. Merge them into the branch where the run started, or go back to it without them.</p>
          <button type="button" class="small" disabled={locked} onClick={() => void goBack('leave')}>
            {busy.value === 'leave' && <span class="spinner" aria-hidden="true" />} Leave the branch
          </button>
          <button type="button" class="small primary" disabled={locked} onClick={() => void goBack('merge')}>
            {busy.value === 'merge' && <span class="spinner" aria-hidden="true" />} Merge
          </button>
        </div>
      )}
      {said && <p ref={result} tabIndex={-1} class={`spec-note ${said.ok ? 'tone-good' : 'tone-bad'}`} role={said.ok ? 'status' : 'alert'}>{said.text}</p>}
    </section>
  );
}
