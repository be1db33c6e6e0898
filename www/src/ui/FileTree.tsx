import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { TreeNode } from '../project/tree';
import type { Mark } from '../run/changes';
import { Icon } from './Icon';

interface FileTreeProps {
  nodes: TreeNode[];
  open: string | null;
  /** The files that changed in the present run, by path. */
  marks: ReadonlyMap<string, Mark>;
  onOpen(path: string): void;
}

interface Row {
  node: TreeNode;
  level: number;
  parent: string | null;
}

const MARKS = { created: { letter: 'A', words: 'new in this run' }, modified: { letter: 'M', words: 'modified in this run' }, deleted: { letter: 'D', words: 'deleted in this run' } };
const AUTHORS = { agent: { short: 'agent', words: 'changed by the agent' }, user: { short: 'you', words: 'changed by you' }, both: { short: 'both', words: 'changed by both' } };

/** The ARIA tree pattern: one stop in the tab order, arrows inside. */
export function FileTree({ nodes, open, marks, onOpen }: FileTreeProps) {
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const focused = useSignal<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const rows = visibleRows(nodes, closed.value);
  const stop = rows.find(({ node }) => node.path === (focused.value ?? open)) ?? rows[0];

  const focus = (row: Row | undefined) => {
    if (!row) return;
    focused.value = row.node.path;
    list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(row.node.path)}"]`)?.focus();
  };
  const toggle = ({ node }: Row, close: boolean) => {
    const next = new Set(closed.value);
    if (close) next.add(node.path);
    else next.delete(node.path);
    closed.value = next;
  };
  const activate = (row: Row) => (row.node.children ? toggle(row, !closed.value.has(row.node.path)) : onOpen(row.node.path));

  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ node }) => node.path === stop?.node.path);
    const row = rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const folder = row.node.children !== undefined;
    const isClosed = closed.value.has(row.node.path);
    const actions: Record<string, () => void> = {
      ArrowDown: () => focus(rows[at + 1]),
      ArrowUp: () => focus(rows[at - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows.at(-1)),
      ArrowRight: () => (folder && isClosed ? toggle(row, false) : folder && focus(rows[at + 1])),
      ArrowLeft: () => (folder && !isClosed ? toggle(row, true) : focus(rows.find(({ node }) => node.path === row.parent))),
      Enter: () => activate(row),
      ' ': () => activate(row),
    };
    const action = actions[event.key] ?? (/^[\w.]$/.test(event.key) ? () => focus(startingWith(rows, at, event.key)) : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  };

  return (
    <ul class="tree" role="tree" aria-label="Project files" ref={list} onKeyDown={onKeyDown}>
      {rows.map((row) => {
        const { node, level } = row;
        const mark = marks.get(node.path);
        const inside = node.children !== undefined && [...marks.keys()].some((path) => path.startsWith(`${node.path}/`));
        return (
          <li
            key={node.path}
            role="treeitem"
            class="tree-item"
            style={{ '--level': level }}
            data-path={node.path}
            aria-level={level}
            aria-expanded={node.children && !closed.value.has(node.path)}
            aria-selected={node.path === open}
            tabIndex={row === stop ? 0 : -1}
            onClick={() => { focused.value = node.path; activate(row); }}
          >
            {node.children ? <Icon name="chevron" /> : <span class="icon" />}
            <span class="tree-name">{node.name}</span>
            {mark ? <FileMark {...mark} /> : inside && <span class="mark" aria-hidden="true">•</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** The texts are a part of the row's accessible name. */
function FileMark({ change, by }: Mark) {
  return (
    <>
      <span class={`changed-by changed-by-${by}`} data-by={by} title={AUTHORS[by].words}><span aria-hidden="true">{AUTHORS[by].short}</span><span class="visually-hidden">, {AUTHORS[by].words}</span></span>
      <span class={`mark mark-${change}`} title={MARKS[change].words}><span aria-hidden="true">{MARKS[change].letter}</span><span class="visually-hidden">, {MARKS[change].words}</span></span>
    </>
  );
}

function visibleRows(nodes: TreeNode[], closed: ReadonlySet<string>, level = 1, parent: string | null = null): Row[] {
  return nodes.flatMap((node) => {
    const below = node.children && !closed.has(node.path) ? visibleRows(node.children, closed, level + 1, node.path) : [];
    return [{ node, level, parent }, ...below];
  });
}

/** The next row whose name starts with a typed letter; wraps around. */
function startingWith(rows: Row[], at: number, letter: string): Row | undefined {
  const order = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
  return order.find(({ node }) => node.name.toLowerCase().startsWith(letter.toLowerCase()));
}
