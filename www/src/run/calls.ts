/** The calls that a denial may be about. Pure. */
import type { PolicyCall, PolicyExplanation } from 'loopgate';

/** What may have been denied, the most exact first. `tool` is the call that was open; a command may write files. */
export function callsOf(path: string, tool: { name: string; args: unknown } | undefined, role: PolicyCall['role'], phase: PolicyCall['phase']): PolicyCall[] {
  const { command } = (tool?.args ?? {}) as { command?: unknown };
  const as = { ...(role && { role }), ...(phase && { phase }) };
  const calls: PolicyCall[] = [];
  if (tool && typeof command === 'string') calls.push({ tool: tool.name, command, ...as });
  if (tool) calls.push({ tool: tool.name, path, ...as }, { tool: tool.name, ...as });
  return [...calls, { tool: 'write_file', path, ...as }];
}

/** Such as `deny: policy[0], .handoff/config.yaml, line 2`. */
export const explanationText = ({ decision, rule, file, line }: PolicyExplanation): string =>
  `${decision}: ${rule}${file ? `, ${file}${line === undefined ? '' : `, line ${line}`}` : ', a rule of the harness'}`;
