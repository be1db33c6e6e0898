/** The specs of the open project: `specs/*.md`, which one agent builds in one go, and `.handoff/specs/*`, which is built in steps. */
import { batch } from '@preact/signals';
import { listChunks, listRuns, listSpecs, type Answer, type Chunk, type ListedChunk, type ListedRun, type ListedSpec, type Question } from 'loopgate';
import { host } from '../host/host';
import { latest } from '../latest';
import { userFiles } from '../project/edits';
import { readText, refreshFiles, tree } from '../project/project';
import { filePaths } from '../project/tree';
import { checkModelOf } from '../model/choice';
import { discard, isRunning, resume, runChunks, runSpecs, view } from '../run/session';
import { idleRun } from '../run/view';
import { messageOf } from '../snapshots/snapshots';
import { drafts, shownSpec, shownStep, specs, startup } from '../store';
import { calls, cancelCall } from './calls';
import { draftFrom, nameFor, newDraft, requirementsOf, slugOf, type Draft } from './draft';
import { isEditedElsewhere, lookForOwner, ownsDrafts, takeDrafts } from './owner';
import { forgetOverrides, readConfig } from './settings';

const HANDOFF = '.handoff/specs/';
/** The id of the final review, which has attempts like a step. */
export const FINAL = 'final-review';

export interface Spec {
  /** `specs/0001-name.md` or `.handoff/specs/name`. */
  path: string;
  id: string;
  title: string;
  text: string;
  /** For a spec in one go. */
  listed?: ListedSpec;
  /** For a spec in steps: none before they are approved. The last one may be the final review. */
  steps: ListedChunk[];
  /** Why the steps cannot run. */
  problem?: string;
  /** The run that waits for the approval of the proposed steps. */
  waits?: { run: ListedRun; question: Question };
  pullRequest: string | null;
  /** Its runs, newest first. */
  runs: ListedRun[];
  /** US dollars. */
  cost: number;
}

/** How many drafts were discarded. */
let discards = 0;
/** The questions that were answered, whose runs go on. Other runs have questions with the same ids. */
const answered = new Set<string>();
const keyOf = (runId: string, question: string): string => `${runId} ${question}`;

export const pathOf = (id: string): string => HANDOFF + id;
export const idOf = (path: string): string => path.slice(HANDOFF.length);
const isInSteps = (path: string): boolean => path.startsWith(HANDOFF);

/** The run works on this spec. Of all open specs, it is one that is not done. */
export function isWorkedOn({ path, id, listed }: Spec): boolean {
  const { work } = view.value;
  if (!isRunning.value || !work) return false;
  if (work.kind === 'chunks') return isInSteps(path) && work.spec === id;
  return work.kind === 'spec' && (work.path ? work.path === path : ['drafting', 'planned', 'candidate'].includes(listed?.state ?? ''));
}

/** Nothing can run or be changed in this tab now. */
export const isLocked = (): boolean => !('ready' in startup.value) || isRunning.value;

/** Reads the lists after a change of the files. */
export const readSpecs = latest(async () => {
  const before = discards;
  await lookForOwner();
  const paths = filePaths(tree.peek()).filter((path) => path.startsWith(HANDOFF));
  const ids = [...new Set(paths.flatMap((path) => /^([^/]+)\/(spec\.md|chunks\.json|draft\.json)$/.exec(idOf(path))?.[1] ?? []))];
  // A list that cannot be read does not hide the others.
  const [listed, runs] = await Promise.all([listSpecs(host).catch(() => []), listRuns(host).catch(() => [])]);
  const found = await Promise.all([...listed.map((spec) => readPlanned(spec, runs)), ...ids.map((id) => readSteps(id, runs))]);
  // The files have what another tab writes, or wrote before this one took the drafts.
  const own = () => new Map([...(ownsDrafts() || unwritten.size ? drafts.peek() : [])].filter(([id, draft]) => shownBefore.get(id) !== draft));
  const kept = await Promise.all(ids.map(async (id) => [id, own().get(id) ?? draftFrom(await readText(`${HANDOFF}${id}/draft.json`))] as const));
  batch(() => {
    specs.value = found;
    // What the user typed meanwhile is newer than the file. After a discard, the files are read again.
    if (before === discards) drafts.value = new Map([...kept.flatMap(([id, draft]) => (draft ? [[id, draft] as const] : [])), ...own()]);
    for (const { id, waits, steps } of found) if (waits && !steps.length) proposed(id, waits.question);
  });
  const approved = found.filter(({ id, steps }) => steps.length && drafts.peek().get(id)?.question);
  if (!isEditedElsewhere.peek()) for (const { id } of approved) void discardDraft(id);
  await readConfig();
});

async function readPlanned(listed: ListedSpec, all: ListedRun[]): Promise<Spec> {
  const { path, title } = listed;
  const runs = all.filter(({ work }) => work.kind === 'spec' && (work.path ?? path) === path);
  const cost = runs.reduce((sum, run) => sum + (run.cost?.pieces?.[path]?.spent ?? 0), 0);
  return { path, id: path, title, text: (await readText(path)) ?? '', listed, steps: [], pullRequest: null, runs, cost };
}

async function readSteps(id: string, all: ListedRun[]): Promise<Spec> {
  const folder = `${HANDOFF}${id}/`;
  const [text, pullRequest] = await Promise.all([readText(`${folder}spec.md`), readText(`${folder}pull-request.md`)]);
  const { steps, problem } = await listChunks(host, id).then((steps) => ({ steps, problem: undefined }), (error) => ({ steps: [], problem: messageOf(error) }));
  const runs = all.filter(({ work }) => work.kind === 'chunks' && work.spec === id);
  const [newest] = runs;
  const question = newest?.questions.find(({ id, kind }) => kind === 'chunks' && !answered.has(keyOf(newest.runId, id)));
  const ended = runs.reduce((sum, { cost }) => sum + (cost?.spent ?? 0), 0);
  // The run that works has no sum yet.
  const cost = Math.max(ended, steps.reduce((sum, { cost = 0 }) => sum + cost, 0));
  return { path: pathOf(id), id, title: /^#[ \t]+(\S.*?)\s*$/m.exec(text ?? '')?.[1] ?? id, text: text ?? '', steps, ...(problem && { problem }), ...(newest && question && { waits: { run: newest, question } }), pullRequest, runs, cost };
}

/** The planner's steps become cards, unless the user edits them already. */
function proposed(id: string, { id: question, details }: Question): void {
  if (drafts.peek().get(id)?.question === question || isEditedElsewhere.peek()) return;
  const steps = details as Chunk[];
  changeDraft(id, { stage: 'steps', steps, proposed: steps, question });
}

/** The draft of a spec that has none: its text is reviewed. */
export const draftOf = ({ title, text }: Spec): Draft => newDraft({ stage: 'review', title, text });

let writing: ReturnType<typeof setTimeout> | undefined;
const unwritten = new Set<string>();

/** Changes a draft, and stores it. */
export function changeDraft(id: string, change: Partial<Draft>): void {
  const spec = specs.peek()?.find(({ path }) => path === pathOf(id));
  const before = drafts.peek().get(id) ?? (spec && draftOf(spec));
  drafts.value = new Map(drafts.peek()).set(id, newDraft({ ...before, ...change }));
  unwritten.add(id);
  writing ??= setTimeout(() => void writeDrafts(), 200);
}

export async function writeDrafts(): Promise<void> {
  clearTimeout(writing);
  writing = undefined;
  const mayWrite = unwritten.size === 0 || (await takeDrafts());
  const ids = [...unwritten];
  if (!mayWrite) {
    unwritten.clear();
    return readSpecs();
  }
  for (const id of ids) {
    const draft = drafts.peek().get(id);
    unwritten.delete(id);
    if (draft) await userFiles.writeFile(`${HANDOFF}${id}/draft.json`, `${JSON.stringify(draft, null, 2)}\n`).catch((error) => {
      // The next write tries again.
      unwritten.add(id);
      throw error;
    });
  }
}

/** What was shown when this tab took the drafts from another one. */
let shownBefore: ReadonlyMap<string, Draft> = new Map();

/** Edits the drafts in this tab instead of another one, with what is stored. What is shown stays until then, so that no field is removed while the user types. */
export async function editHere(): Promise<void> {
  await takeDrafts(true);
  shownBefore = drafts.peek();
  await readSpecs();
}

/** Begins a spec in the studio. */
export async function newSpec(change: Partial<Draft> = {}): Promise<void> {
  if (!ownsDrafts()) await editHere();
  const id = slugOf('new-spec', (specs.peek() ?? []).map(({ id }) => id));
  changeDraft(id, newDraft(change));
  shownSpec.value = pathOf(id);
  await writeDrafts();
  await refreshFiles();
  await readSpecs();
}

export function nameOf(id: string, draft: Draft): string {
  // The folder with its text keeps its name.
  if (draft.kind === 'steps' && specs.peek()?.some((spec) => spec.id === id && spec.text)) return id;
  const names = (specs.peek() ?? []).map((spec) => (spec.listed ? spec.path.replace(/^.*\/|\.md$/g, '') : spec.id));
  return nameFor(draft, names.filter((name) => name !== id));
}

/** Gives the folder of a draft its name. */
export async function renameDraft(id: string, name: string): Promise<string> {
  const draft = drafts.peek().get(id);
  if (!draft || name === id) return id;
  changeDraft(name, draft);
  await writeDrafts();
  await refreshFiles();
  await readSpecs();
  shownSpec.value = pathOf(name);
  await discardDraft(id);
  return name;
}

export async function discardDraft(id: string): Promise<void> {
  if (!(await takeDrafts())) return readSpecs();
  cancelCall(id);
  discards++;
  const left = new Map(drafts.peek());
  left.delete(id);
  drafts.value = left;
  unwritten.delete(id);
  await userFiles.unlink(`${HANDOFF}${id}/draft.json`).catch(() => {});
  // A read that began before has the file.
  discards++;
  // Only an empty folder can be removed.
  await userFiles.rmdir(HANDOFF + id).catch(() => {});
  await refreshFiles();
}

/** Writes the spec of a draft in one go, and runs it. */
export async function runInOneGo(id: string, draft: Draft): Promise<void> {
  const path = `specs/${nameOf(id, draft)}.md`;
  await userFiles.writeFile(path, draft.text);
  await discardDraft(id);
  shownSpec.value = path;
  await runSpecs(path);
}

/** The planner proposes the steps. */
export async function split(id: string, { text }: Draft): Promise<void> {
  await userFiles.writeFile(`${HANDOFF}${id}/spec.md`, text);
  changeDraft(id, { stage: 'steps', steps: null, proposed: null, removed: null, question: null });
  await runChunks(id);
}

/** Approves the steps of a draft: the run that waits goes on, or a new one begins. */
export async function approve({ id, waits, steps: approved }: Spec, { text }: Draft, steps: Chunk[]): Promise<void> {
  shownStep.value = null;
  // The draft ends when the run has the steps.
  if (waits) return answer(waits, { decision: 'allow', value: steps });
  if (!approved.length) await userFiles.writeFile(`${HANDOFF}${id}/spec.md`, text);
  await userFiles.writeFile(`${HANDOFF}${id}/chunks.json`, `${JSON.stringify(steps, null, 2)}\n`);
  const run = runChunks(id);
  await discardDraft(id);
  await run;
}

/** The planner proposes other steps. */
export async function proposeAgain({ id, waits }: Spec, reason: string): Promise<void> {
  changeDraft(id, { steps: null, proposed: null, removed: null, question: waits?.question.id ?? null });
  await (waits ? answer(waits, { decision: 'revise', reason: reason || 'The user wants other steps.' }) : runChunks(id));
}

function answer({ run, question }: NonNullable<Spec['waits']>, given: Answer): Promise<void> {
  checkModelOf(run.runId);
  answered.add(keyOf(run.runId, question.id));
  return resume(run.runId, run.work, { [question.id]: given });
}

/** Ends the run that waits. It is no failure, so nothing of it is shown. */
export async function reject({ id, waits }: Spec): Promise<void> {
  if (waits) {
    answered.add(keyOf(waits.run.runId, waits.question.id));
    await discard(waits.run.runId, waits.run.work);
    if (view.peek().runId === waits.run.runId) view.value = idleRun;
  }
  changeDraft(id, { stage: 'review', steps: null, proposed: null, removed: null, question: null });
  await refreshFiles();
}

/** Opens the steps of a spec that has some as cards. */
export async function editSteps({ id, steps }: Spec): Promise<void> {
  if (!ownsDrafts()) await editHere();
  const own = steps.filter(({ id }) => id !== FINAL).map(({ state, commit, attempts, blockedBy, reason, cost, ...chunk }) => chunk);
  changeDraft(id, { stage: 'steps', steps: own, proposed: own });
}

export function forgetSpecs(): void {
  for (const id of calls.peek().keys()) cancelCall(id);
  [specs.value, drafts.value, shownSpec.value, shownStep.value] = [null, new Map(), null, null];
  unwritten.clear();
  void forgetOverrides();
}

/** What became of each requirement: the steps that name it, and how far they are. */
export const resultsOf = (spec: Spec, requirement: string): ListedChunk[] => spec.steps.filter((step) => step.id !== FINAL && requirementsOf(step).includes(requirement));
