/** The lines of the timeline. */
import type { GateReport, PlanReport, RunEvent } from 'loopgate';
import type { PlanContext } from './view';

/** How a line reads at a glance. The words always say it too. */
export type Tone = 'neutral' | 'active' | 'good' | 'warn' | 'bad';

export interface Entry {
  key: number;
  at: number;
  tone: Tone;
  /** What kind of thing happened, in one word. */
  label: string;
  title: string;
  detail?: Detail;
}

export type Detail =
  | { kind: 'text'; text: string; live: boolean }
  | { kind: 'tool'; id: string; name: string; args: unknown; result?: ToolOutcome }
  | { kind: 'plan'; report: PlanReport }
  | ({ kind: 'context' } & PlanContext)
  | { kind: 'gate'; report: GateReport }
  /** `own`: files that the harness keeps in `.ralph/`, not the project's. */
  | { kind: 'files'; own: boolean; paths: string[] }
  | { kind: 'note'; text: string };

export type ToolOutcome = Pick<Extract<RunEvent, { type: 'tool-result' }>, 'ok' | 'output' | 'durationMs' | 'changed'>;
