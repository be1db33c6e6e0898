/** The lines of the timeline. */
import type { GateReport, PlanReport, PolicyCall, RunEvent } from 'loopgate';
import type { PlanContext } from './view';

/** The icon and color of a line. Its text has the same information. */
export type Tone = 'neutral' | 'active' | 'good' | 'warn' | 'bad';

export interface Entry {
  key: number;
  at: number;
  tone: Tone;
  /** The kind of event, in one word. */
  label: string;
  title: string;
  detail?: Detail;
}

export type Detail =
  /** `answer`: the number of the model's answer. */
  | { kind: 'text'; text: string; live: boolean; answer: number }
  | { kind: 'tool'; id: string; name: string; args: unknown; result?: ToolOutcome }
  | { kind: 'plan'; report: PlanReport }
  | ({ kind: 'context' } & PlanContext)
  | { kind: 'gate'; report: GateReport }
  | { kind: 'files'; paths: string[] }
  | ({ kind: 'denial' } & Denial)
  | { kind: 'note'; text: string };

/** A call that was denied. `calls`: what the rule may have denied, the most exact first. */
export interface Denial {
  rule: string;
  calls: PolicyCall[];
}

export type ToolOutcome = Pick<Extract<RunEvent, { type: 'tool-result' }>, 'ok' | 'output' | 'durationMs' | 'changed'>;
