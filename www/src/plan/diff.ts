/** How far the sources are what the plan asks for. */
import { signal } from '@preact/signals';
import * as loopgate from 'loopgate';
import type { Host } from 'loopgate';
import { host } from '../host/host';

export interface PlanDiffEntry { status: 'implemented' | 'deviation' | 'missing' | 'extra'; category: 'screen' | 'section' | 'theme' | 'data'; planned: string; found?: string; detail?: string }
const { diffPlan } = loopgate as { diffPlan?: (host: Pick<Host, 'fs' | 'dir'>) => Promise<{ entries: PlanDiffEntry[]; report: string }> };

/** The last comparison; nothing where there is no plan that can be compared. */
export const planDiff = signal<PlanDiffEntry[]>([]);

let running: Promise<void> | undefined;
let again = false;

/** Compares the files as they are now. What is asked for meanwhile is answered by one comparison afterwards. */
export function comparePlan(): void {
  again = true;
  running ??= compareWhileAsked().finally(() => (running = undefined));
}

async function compareWhileAsked(): Promise<void> {
  while (again) {
    again = false;
    planDiff.value = (await diffPlan?.(host).catch(() => undefined))?.entries ?? [];
  }
}
