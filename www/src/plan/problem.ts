/** What a check of a plan found, as lists and marks show it. */
import type { Diagnostic, PlanReport } from 'loopgate';

export interface Problem extends Diagnostic {
  severity: 'error' | 'warning';
}

/** Errors first, as the report has them. */
export function problemsOf(report: PlanReport | null): Problem[] {
  const errors = (report?.failures ?? []).map((problem) => ({ ...problem, severity: 'error' as const }));
  return [...errors, ...(report?.warnings ?? []).map((problem) => ({ ...problem, severity: 'warning' as const }))];
}

/** The message, less the line: it stands where it is shown, or beside it. */
export const sayWithoutLine = ({ message }: Diagnostic): string => message.replace(/^Line \d+: /, '');
