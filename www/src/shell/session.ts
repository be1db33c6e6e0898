/** The user's commands. They run in the agent's shell, with the same rules. */
import { signal } from '@preact/signals';
import { buildProject } from '../host/build';
import { host } from '../host/host';
import { DIR } from '../project/storage';
import { refreshFiles } from '../project/project';
import { messageOf } from '../snapshots/snapshots';

export interface ShellLine {
  key: number;
  command: string;
  /** Absent while the command runs. */
  output?: { exitCode: number; stdout: string; stderr: string };
}

export const shellLines = signal<readonly ShellLine[]>([]);

const TIMEOUT_MS = 30_000;

export async function runCommand(command: string): Promise<void> {
  const key = (shellLines.peek().at(-1)?.key ?? 0) + 1;
  shellLines.value = [...shellLines.peek(), { key, command }];
  const output = await execute(command);
  shellLines.value = shellLines.peek().map((line) => (line.key === key ? { ...line, output } : line));
  await refreshFiles();
  await buildProject();
}

async function execute(command: string): Promise<NonNullable<ShellLine['output']>> {
  try {
    return await host.shell!.execute(command, { cwd: DIR, signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: TIMEOUT_MS });
  } catch (error) {
    return { exitCode: 1, stdout: '', stderr: `${messageOf(error)}\n` };
  }
}
