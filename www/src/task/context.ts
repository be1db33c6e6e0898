/** The state of the open project, for parsing a message. */
import { validatePlan, type PlanNode, type TaskContext } from 'loopgate';
import { PLAN } from '../plan/document';
import { readText, tree } from '../project/project';
import { filePaths } from '../project/tree';
import { snapshots } from '../snapshots/snapshots';

export async function taskContext(): Promise<TaskContext> {
  const [plan, summary, counter] = await Promise.all([PLAN, '.ralph/summary.md', '.ralph/task-counter.txt'].map(readText));
  const root = plan?.trim() ? validatePlan(plan).root : null;
  const last = Number(counter) || 0;
  const previous = `task-${last}-post`;
  return {
    planExists: Boolean(plan?.trim()),
    planSections: root ? gumdrops(root) : [],
    lastSummary: summary ?? '',
    fileList: filePaths(tree.peek()).filter((path) => !path.startsWith('.')),
    taskNumber: last + 1,
    ...(snapshots.peek().some(({ tag }) => tag === previous) && { previousTag: previous }),
  };
}

/** In plan order. */
function gumdrops({ component, props, children }: PlanNode): string[] {
  const own = component === 'Section' && typeof props.gumdrop === 'string' ? [props.gumdrop] : [];
  return [...own, ...children.flatMap(gumdrops)];
}
