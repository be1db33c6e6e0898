/** The state of the frame: what is open, its size and colors, and whether the project can be used. */
import { computed, effect, signal, type Signal } from '@preact/signals';
import type { Config } from 'loopgate';
import type { Draft } from './specs/draft';
import type { Spec } from './specs/specs';
import type { Replacement } from './run/begin';

/** Writes a text for a reload; `null` removes it. If the storage is full, a reload forgets the text, and everything else goes on. */
export function persist(storage: Storage, key: string, text: string | null): void {
  try {
    if (text === null) storage.removeItem(key);
    else storage.setItem(key, text);
  } catch (error) {
    console.warn(`${key} is not stored:`, error);
  }
}

/** Read and written as text; `null` removes it. */
function stored(key: string): Signal<string | null> {
  const value = signal<string | null>(localStorage.getItem(key));
  effect(() => persist(localStorage, key, value.value));
  return value;
}

/** Whether a media query matches, as a signal. */
function matches(query: string) {
  const list = matchMedia(query);
  const value = signal(list.matches);
  list.addEventListener('change', () => (value.value = list.matches));
  return value;
}

type Startup = { step: string } | { ready: true } | { error: string };
export const startup = signal<Startup>({ step: 'Loading loopgate' });

/** What another tab does with the project. `gone`: its tab was closed, so this one can resume its run. */
export interface OtherTab {
  use: Use;
  gone: boolean;
}
/** `run`: a run. `write`: a change of files. `replace`: another project takes the place of this one. */
export type Use = 'run' | 'write' | 'replace';
export const otherTab = signal<OtherTab | null>(null);
/** Why the history of an earlier run cannot be read. The files are not affected. */
export const damaged = signal<string | null>(null);

export const TABS = { preview: 'Preview', changes: 'Changes', code: 'Code', plan: 'Plan', specs: 'Specs', checks: 'Checks', shell: 'Shell', events: 'All events', versions: 'Versions' } as const;
export type Tab = keyof typeof TABS;

/** Kept for a reload. */
const KEPT_TAB = 'loopgate-demo-view';
const kept = sessionStorage.getItem(KEPT_TAB) ?? '';
export const tab = signal<Tab>(Object.hasOwn(TABS, kept) ? (kept as Tab) : 'preview');
effect(() => persist(sessionStorage, KEPT_TAB, tab.value));
/** The user chose another tab than the preview, so a run leaves it. */
export const isTabChosen = signal(tab.peek() !== 'preview');
/** Narrow screens show the thread or the stage. */
export const isPhone = matches('(max-width: 860px)');
export const isChat = signal(true);

/** The Plan view has the source beside the outline, or in its place if there is little room. */
export const showsPlanSource = signal(false);
export function showPlanSource(): void {
  showsPlanSource.value = true;
  showTab('plan');
}

export function showTab(next: Tab): void {
  [tab.value, isTabChosen.value, isChat.value] = [next, next !== 'preview', false];
}

/** The dialog that is open. `reset`, `new` and a story ask whether they may replace the project. */
export const dialog = signal<Replacement | 'model' | 'stories' | 'commands' | null>(null);

const threadWidth = stored('loopgate-demo-thread');
const pageWidth = signal(innerWidth);
addEventListener('resize', () => (pageWidth.value = innerWidth));
export const THREAD = { min: 320, max: 640, step: 10 };
/** In pixels. */
export const thread = computed(() => {
  const { min, max } = THREAD;
  const wanted = Number(threadWidth.value) || (pageWidth.value < 1180 ? 340 : Math.min(460, Math.max(360, 0.28 * pageWidth.value)));
  return Math.round(Math.min(max, Math.max(min, Math.min(wanted, pageWidth.value - 480))));
});
/** `null`: the default. */
export const resizeThread = (width: number | null): void => {
  threadWidth.value = width === null ? null : String(width);
};

const systemIsDark = matches('(prefers-color-scheme: dark)');
const scheme = stored('loopgate-demo-scheme');
export const isDark = computed(() => (scheme.value ? scheme.value === 'dark' : systemIsDark.value));
effect(() => {
  if (scheme.value) document.documentElement.dataset.theme = scheme.value;
});
export const switchScheme = (): void => {
  scheme.value = isDark.peek() ? 'light' : 'dark';
};

/** The open file. `version`: as it is in this snapshot, read only. */
export interface OpenFile {
  path: string;
  /** The lines that are marked; 1-based. */
  lines?: readonly [first: number, last: number];
  version?: string;
}
export const openFile = signal<OpenFile>({ path: 'src/App.tsx' });

/** Opens Code with this file, at a line or lines. With `version`, the file comes from the snapshot and is read only. */
export function openFileAt(path: string, lines?: number | readonly [number, number] | null, version?: string): void {
  const range = typeof lines === 'number' ? ([lines, lines] as const) : lines;
  openFile.value = { path, ...(range && { lines: range }), ...(version && { version }) };
  showTab('code');
}

/** A short message about what the user did, with the way back. */
export interface Toast {
  text: string;
  undo?(): Promise<void>;
}
export const toast = signal<Toast | null>(null);
/** The specs of the project, with their drafts; `null` until they are read. */
export const specs = signal<readonly Spec[] | null>(null);
/** What the user edits in the studio, by the folder of the spec. Each change is also written to `draft.json`. */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map());
/** The path of the spec whose details are shown; `null` shows the list on a narrow screen. */
export const shownSpec = signal<string | null>(null);
/** The chosen step of the shown spec, and the number of its attempt; 0 is the last one. */
export const shownStep = signal<{ spec: string; step: string; attempt: number } | null>(null);
/** The merged configuration; `null` until it is read, or if it cannot be read. */
export const config = signal<Config | null>(null);
export const configProblem = signal<string | null>(null);
