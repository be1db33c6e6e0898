/** The plan of the open project: read, checked and written. */
import { computed, signal } from '@preact/signals';
import { validatePlan } from 'loopgate';
import { look, readText } from '../project/project';
import { absolute, files } from '../project/storage';
import { edited, isChanged, keepMine, looked, noPlan, opened, PLAN, takeTheirs, type PlanDocument } from './document';
import { problemsOf } from './problem';

export const plan = signal<PlanDocument>(noPlan);
const text = computed(() => plan.value.text);
/** The check of what the editor holds; `null` while it holds nothing. */
export const planReport = computed(() => (text.value.trim() ? validatePlan(text.value) : null));

export const problems = computed(() => problemsOf(planReport.value));

/** Reads the file again, for what it became elsewhere. */
export async function lookAtPlan(): Promise<void> {
  plan.value = looked(plan.value, await readText(PLAN));
}

export function editPlan(text: string): void {
  if (text !== plan.peek().text) plan.value = edited(plan.peek(), text);
}

/** Writes the editor's text, unless somebody else wrote the file meanwhile: then the user decides first. */
export async function savePlan(): Promise<void> {
  await lookAtPlan();
  if (plan.value.theirs || !isChanged(plan.value)) return;
  await write(plan.value.text);
}

export async function startPlan(text: string): Promise<void> {
  await lookAtPlan();
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

/** The project is another one now: nothing of the old plan is kept. */
export function forgetPlan(): void {
  plan.value = noPlan;
}

async function write(text: string): Promise<void> {
  const folder = absolute(PLAN).replace(/\/[^/]+$/, '');
  await files.mkdir(folder).catch((error: { code?: string }) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await files.writeFile(absolute(PLAN), text);
  await files.flush();
  // Typing may have gone on meanwhile.
  plan.value = plan.value.text === text ? opened(text) : edited(opened(text), plan.value.text);
  await look();
}
