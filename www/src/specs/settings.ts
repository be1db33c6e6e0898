/** The settings of a run over steps: the project's configuration, and what the user sets for the runs of this tab. */
import { signal } from '@preact/signals';
import { explainConfig, loadConfig, saveConfig, type ConfigLayer } from 'loopgate';
import { host } from '../host/host';
import { edits } from '../project/edits';
import { refreshFiles } from '../project/project';
import { messageOf } from '../snapshots/snapshots';
import { objectFrom } from '../model/providers';
import { config, configProblem, persist } from '../store';

/** The keys of `defaults` that can be set. */
export interface Overrides {
  executor?: string;
  planner?: string;
  quickReviewer?: string;
  finalReviewer?: string;
  maxIterations?: number;
}

/** A reload continues the run with the same settings. */
const KEPT = 'loopgate-demo-chunk-settings';
export const CONFIG = '.handoff/config.yaml';

export const overrides = signal<Overrides>(objectFrom(localStorage.getItem(KEPT)));

/** The innermost layer of the configuration, which a run gets. */
export const layer = (): ConfigLayer => ({ defaults: { ...overrides.peek() } });

export async function readConfig(): Promise<void> {
  try {
    config.value = await loadConfig(host, { spec: layer() });
    configProblem.value = null;
  } catch (error) {
    [config.value, configProblem.value] = [null, messageOf(error)];
  }
}

/** `undefined` inherits the project's value. */
export async function setOverride<K extends keyof Overrides>(key: K, value: Overrides[K]): Promise<void> {
  const { [key]: _, ...rest } = overrides.peek();
  await keep(value === undefined ? rest : { ...rest, [key]: value });
}

/** Writes the settings into the project's configuration. Comments and other keys stay. */
export async function saveOverrides(): Promise<void> {
  edits(CONFIG);
  await saveConfig(host, layer());
  await keep({});
  await refreshFiles();
}

export const forgetOverrides = (): Promise<void> => keep({});

/** Where a value comes from, for readers. */
export function originOf(key: keyof Overrides): string {
  if (!config.value) return '';
  const { layer, file, line } = explainConfig(config.value, `defaults.${key}`);
  return { default: 'default', global: 'your settings', project: `${file?.split('/').at(-1) ?? 'config.yaml'}${line ? `:${line}` : ''}`, spec: 'set here' }[layer];
}

async function keep(next: Overrides): Promise<void> {
  overrides.value = next;
  persist(localStorage, KEPT, JSON.stringify(next));
  await readConfig();
}
