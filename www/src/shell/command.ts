/** What a command of the shell is. */
import type { FsPort } from 'loopgate';

export interface Command {
  /** How it is called, and what it does, in one line. */
  usage: string;
  run(args: readonly string[], context: CommandContext): Promise<string>;
}

export interface CommandContext {
  /** The project's files, as far as the shell may reach them. */
  fs: FsPort;
  /** The absolute path of an argument: relative ones count from the folder that the command runs in. */
  path(argument: string): string;
  /** The absolute path of a file of the project. */
  inProject(path: string): string;
}

/** The command was called wrongly: exit code 2. Any other error is exit code 1. */
export class UsageError extends Error {}
