/** The lines of a run. */
import type { AgentRole, EventLine, GateReport, Phase, PolicyCall, RunEvent } from 'loopgate';

/** The icon and color of a line. Its text has the same information. */
export type Tone = 'neutral' | 'active' | 'good' | 'warn' | 'bad';

export const TONES: Record<EventLine['kind'], Tone> = { progress: 'active', good: 'good', bad: 'bad', question: 'warn', detail: 'neutral' };

export interface Line {
  key: number;
  at: number;
  type: RunEvent['type'];
  tone: Tone;
  text: string;
  /** The number of its attempt; 0 before the first one. */
  attempt: number;
  /** Only the list of all events has it. */
  isQuiet: boolean;
  /** More text. */
  note?: string;
  /** A streamed text that is not complete. */
  isLive?: boolean;
  /** The number of the model's answer with this text. */
  answer?: number;
  call?: { id: string; name: string; args: unknown; result?: ToolOutcome };
  gate?: GateReport;
  denial?: Denial;
}

type ToolOutcome = Pick<Extract<RunEvent, { type: 'tool-result' }>, 'ok' | 'output' | 'durationMs' | 'changed'>;

/** A call that was denied. `calls`: what the rule may have denied, the most exact first. */
export interface Denial {
  rule: string;
  calls: PolicyCall[];
}

/** `tool` is the call that was open; a command may write files. */
export function denialOf(path: string, rule: string, tool: Line['call'], role?: AgentRole, phase?: Phase): Denial {
  const { command } = (tool?.args ?? {}) as { command?: unknown };
  const as = { ...(role && { role }), ...(phase && { phase }) };
  const own: PolicyCall[] = tool ? [{ tool: tool.name, path, ...as }, { tool: tool.name, ...as }] : [];
  const commands: PolicyCall[] = tool && typeof command === 'string' ? [{ tool: tool.name, command, ...as }] : [];
  return { rule, calls: [...commands, ...own, { tool: 'write_file', path, ...as }] };
}
