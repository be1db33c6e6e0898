/** A small shell for agents: enough to look around, to write a line into a file, and to set the theme. */
import type { FsPort, ShellPort } from 'loopgate';
import { type CommandContext, UsageError } from './command';
import { COMMANDS } from './commands';
import { nearest } from './nearest';
import { readTextIfAny } from './read';
import { readCalls, type Call } from './words';

type Output = Awaited<ReturnType<ShellPort['execute']>>;

/** `files` gives the file system that a command may use; it is asked for each command line. */
export function shell(files: () => FsPort, dir: string): ShellPort {
  return {
    async execute(line, { cwd, signal }) {
      const context = contextIn(files(), dir, cwd);
      try {
        return await runCalls(readCalls(line), context, signal);
      } catch (error) {
        signal.throwIfAborted();
        return failure('shell', error);
      }
    },
    describe: () => `Commands: ${Object.values(COMMANDS).map(({ usage }) => usage).join('; ')}. Commands can be joined with && and ;, there are no pipes and no variables.`,
  };
}

async function runCalls(calls: readonly Call[], context: CommandContext, signal: AbortSignal): Promise<Output> {
  const total: Output = { exitCode: 0, stdout: '', stderr: '' };
  for (const call of calls) {
    signal.throwIfAborted();
    if (call.ifSucceeded && total.exitCode !== 0) continue;
    const { exitCode, stdout, stderr } = await run(call, context);
    total.exitCode = exitCode;
    total.stdout += stdout;
    total.stderr += stderr;
  }
  return total;
}

async function run({ words: [name = '', ...args], into }: Call, context: CommandContext): Promise<Output> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return { exitCode: 127, stdout: '', stderr: `${unknown(name)}\n` };
  try {
    const stdout = await command.run(args, context);
    if (!into) return { exitCode: 0, stdout, stderr: '' };
    const before = into.append ? await readTextIfAny(context.fs, context.path(into.path)) : '';
    await context.fs.writeFile(context.path(into.path), before + stdout);
    return { exitCode: 0, stdout: '', stderr: '' };
  } catch (error) {
    return failure(name, error);
  }
}

function unknown(name: string): string {
  const near = nearest(name, Object.keys(COMMANDS));
  return `${name}: there is no such command.${near.length ? ` Did you mean ${near.join(' or ')}?` : ''} This shell has ${Object.keys(COMMANDS).join(', ')}.`;
}

function failure(name: string, error: unknown): Output {
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: error instanceof UsageError ? 2 : 1, stdout: '', stderr: `${name}: ${message}\n` };
}

function contextIn(fs: FsPort, dir: string, cwd: string): CommandContext {
  return { fs, path: (argument) => (argument.startsWith('/') ? argument : `${cwd}/${argument}`), inProject: (path) => `${dir}/${path}` };
}
