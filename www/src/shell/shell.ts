/** A small shell for agents: reads and writes files and sets the theme. */
import type { FsPort, ShellCommand, ShellPort } from 'loopgate';
import { type CommandContext, UsageError } from './command';
import { COMMANDS } from './commands';
import { nearest } from './nearest';
import { readTextIfAny } from './read';
import { readCalls, type Call } from './words';

type Output = Awaited<ReturnType<ShellPort['execute']>>;

export interface Environment {
  /** For the built-in commands. */
  fs: FsPort;
  /** Additional commands. */
  commands: readonly ShellCommand[];
}

/** `open` is called once per line. */
export function shell(open: () => Environment, dir: string): ShellPort {
  return {
    async execute(line, { cwd, signal }) {
      const { fs, commands } = open();
      const context = contextIn(fs, dir, cwd);
      try {
        return await runCalls(readCalls(line), new Map(commands.map((command) => [command.name, command])), context, signal);
      } catch (error) {
        signal.throwIfAborted();
        return failure('shell', error);
      }
    },
    describe() {
      const usages = [...Object.values(COMMANDS).map(({ usage }) => usage), ...open().commands.map(({ name }) => name)];
      return `Commands: ${usages.join('; ')}. Join commands with && or ;. Pipes and variables are not supported.`;
    },
  };
}

type More = ReadonlyMap<string, ShellCommand>;

async function runCalls(calls: readonly Call[], more: More, context: CommandContext, signal: AbortSignal): Promise<Output> {
  const total: Output = { exitCode: 0, stdout: '', stderr: '' };
  for (const call of calls) {
    signal.throwIfAborted();
    if (call.ifSucceeded && total.exitCode !== 0) continue;
    const { exitCode, stdout, stderr } = await run(call, more, context);
    total.exitCode = exitCode;
    total.stdout += stdout;
    total.stderr += stderr;
  }
  return total;
}

async function run({ words: [name = '', ...args], into }: Call, more: More, context: CommandContext): Promise<Output> {
  try {
    const output = await outputOf(name, args, more, context);
    if (!into || output.exitCode !== 0) return output;
    const before = into.append ? await readTextIfAny(context.fs, context.path(into.path)) : '';
    await context.fs.writeFile(context.path(into.path), before + output.stdout);
    return { ...output, stdout: '' };
  } catch (error) {
    return failure(name, error);
  }
}

async function outputOf(name: string, args: string[], more: More, context: CommandContext): Promise<Output> {
  const added = more.get(name);
  if (added) return added.execute(args);
  if (!Object.hasOwn(COMMANDS, name)) return { exitCode: 127, stdout: '', stderr: `${unknown(name, [...Object.keys(COMMANDS), ...more.keys()])}\n` };
  return { exitCode: 0, stdout: await COMMANDS[name]!.run(args, context), stderr: '' };
}

function unknown(name: string, known: string[]): string {
  const near = nearest(name, known);
  return `${name}: command not found.${near.length ? ` Did you mean ${near.join(' or ')}?` : ''} Available commands: ${known.join(', ')}.`;
}

function failure(name: string, error: unknown): Output {
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: error instanceof UsageError ? 2 : 1, stdout: '', stderr: `${name}: ${message}\n` };
}

function contextIn(fs: FsPort, dir: string, cwd: string): CommandContext {
  return { fs, path: (argument) => (argument.startsWith('/') ? argument : `${cwd}/${argument}`), inProject: (path) => `${dir}/${path}` };
}
