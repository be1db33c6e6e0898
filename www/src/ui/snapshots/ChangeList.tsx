import { useRef } from 'preact/hooks';
import type { FileChange } from 'loopgate';

export interface ChangeGroup {
  title: string;
  changes: FileChange[];
}

const MARKS = { added: ['A', 'created'], modified: ['M', 'modified'], deleted: ['D', 'deleted'], renamed: ['R', 'modified'] } as const;

/** A listbox of changed files, with arrow keys. */
export function ChangeList({ label, groups, chosen, onChoose }: { label: string; groups: ChangeGroup[]; chosen: FileChange | null; onChoose(change: FileChange): void }) {
  const list = useRef<HTMLDivElement>(null);
  const all = groups.flatMap(({ changes }) => changes);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = chosen ? all.indexOf(chosen) : -1;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const change = all[Math.max(0, Math.min(next, all.length - 1))];
    if (!change) return;
    onChoose(change);
    list.current?.querySelector(`#${idOf(all.indexOf(change))}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div ref={list} class="change-list" role="listbox" aria-label={label} tabIndex={0} aria-activedescendant={chosen ? idOf(all.indexOf(chosen)) : undefined} onKeyDown={onKeyDown}>
      {groups.filter(({ changes }) => changes.length > 0).map(({ title, changes }, group) => (
        <div key={title} role="group" aria-labelledby={`change-group-${group}`}>
          <div id={`change-group-${group}`} class="change-group">{title}</div>
          {changes.map((change) => (
            <div key={change.path} id={idOf(all.indexOf(change))} class="change" role="option" aria-selected={change === chosen} data-path={change.path} onClick={() => onChoose(change)}>
              <span class={`mark mark-${MARKS[change.change][1]}`} title={change.change}><span aria-hidden="true">{MARKS[change.change][0]}</span><span class="visually-hidden">{change.change} </span></span>
              <span class="change-path">{change.from ? `${change.from} → ${change.path}` : change.path}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const idOf = (at: number): string => `change-${at}`;
