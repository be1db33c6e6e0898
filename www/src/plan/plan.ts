/** The plan of the open project. */
import { computed, signal } from '@preact/signals';
import { validatePlan } from 'loopgate';
import { edits } from '../project/edits';
import { readText, refreshFiles } from '../project/project';
import { absolute, files } from '../project/storage';
import { edited, isChanged, keepMine, noPlan, opened, PLAN, reloaded, takeTheirs, type PlanDocument } from './document';
import { problemsOf } from './problem';

export const plan = signal<PlanDocument>(noPlan);
const text = computed(() => plan.value.text);
/** The report on the editor's text; `null` if the text is empty. */
export const planReport = computed(() => (text.value.trim() ? validatePlan(text.value) : null));

export const problems = computed(() => problemsOf(planReport.value));

export async function reloadPlan(): Promise<void> {
  plan.value = reloaded(plan.value, await readText(PLAN));
}

export function editPlan(text: string): void {
  if (text !== plan.peek().text) plan.value = edited(plan.peek(), text);
}

/** Saves the editor's text, unless the file changed in the meantime. Then the user decides. */
export async function savePlan(): Promise<void> {
  await reloadPlan();
  if (plan.value.theirs || !isChanged(plan.value)) return;
  await write(plan.value.text);
}

export async function startPlan(text: string): Promise<void> {
  await reloadPlan();
  if (plan.value.saved !== null) return;
  editPlan(text);
  await write(text);
}

export function takeTheFile(): void {
  plan.value = takeTheirs(plan.value);
}

export async function keepMyText(): Promise<void> {
  plan.value = keepMine(plan.value);
  await write(plan.value.text);
}

/** For a new project. */
export function forgetPlan(): void {
  plan.value = noPlan;
}

async function write(text: string): Promise<void> {
  const folder = absolute(PLAN).replace(/\/[^/]+$/, '');
  await files.mkdir(folder).catch((error: { code?: string }) => {
    if (error.code !== 'EEXIST') throw error;
  });
  edits(PLAN);
  await files.writeFile(absolute(PLAN), text);
  await files.flush();
  // The user may have typed during the write.
  plan.value = plan.value.text === text ? opened(text) : edited(opened(text), plan.value.text);
  await refreshFiles();
}
