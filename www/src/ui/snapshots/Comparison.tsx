import { useSignal } from '@preact/signals';
import type { FileChange } from 'loopgate';
import type { State } from '../../snapshots/comparison';
import { ChangeList, type ChangeGroup } from './ChangeList';
import { DifferenceView } from './DifferenceView';

interface Props {
  label: string;
  groups: ChangeGroup[];
  from: { state: State; name: string };
  to: { state: State; name: string };
  /** The text without differences. */
  empty: string;
}

/** The changed files, and the difference of the chosen one. */
export function Comparison({ label, groups, from, to, empty }: Props) {
  const all = groups.flatMap(({ changes }) => changes);
  const chosen = useSignal<FileChange | null>(null);
  // The project's files are more interesting than those of the harness.
  const first = all.find(({ path }) => !path.startsWith('.ralph/')) ?? all[0];
  const shown = chosen.value && all.includes(chosen.value) ? chosen.value : first;
  if (!shown) return <p class="empty">{empty}</p>;
  return (
    <div class="comparison">
      <ChangeList label={label} groups={groups} chosen={shown} onChoose={(change) => (chosen.value = change)} />
      <DifferenceView change={shown} from={from} to={to} />
    </div>
  );
}
