/** The plan of the open project: a document like other files, with a report. */
import { computed } from '@preact/signals';
import { validatePlan } from 'loopgate';
import { documents, editDocument, readDocument, saveDocument } from '../code/documents';
import { noPlan, PLAN } from './document';
import { problemsOf } from './outline';

export const plan = computed(() => documents.value.get(PLAN) ?? noPlan);
const text = computed(() => plan.value.text);
/** The report on the editor's text; `null` if the text is empty. */
export const planReport = computed(() => (text.value.trim() ? validatePlan(text.value) : null));

export const problems = computed(() => problemsOf(planReport.value));

export const reloadPlan = (): Promise<unknown> => readDocument(PLAN);

export const editPlan = (text: string): void => editDocument(PLAN, text);

export const savePlan = (): Promise<void> => saveDocument(PLAN);

export async function startPlan(text: string): Promise<void> {
  await reloadPlan();
  if (plan.value.saved !== null) return;
  editPlan(text);
  await saveDocument(PLAN);
}
