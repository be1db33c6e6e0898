/** The problems of a plan. */
import type { Diagnostic, PlanReport } from 'loopgate';

export interface Problem extends Diagnostic {
  severity: 'error' | 'warning';
}

/** Errors first. */
export function problemsOf(report: PlanReport | null): Problem[] {
  const errors = (report?.failures ?? []).map((problem) => ({ ...problem, severity: 'error' as const }));
  return [...errors, ...(report?.warnings ?? []).map((problem) => ({ ...problem, severity: 'warning' as const }))];
}

/** The message without its line number, which is shown next to it. */
export const messageWithoutLine = ({ message }: Diagnostic): string => message.replace(/^Line \d+: /, '');
