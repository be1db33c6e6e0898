import type { FsPort } from 'loopgate';

export interface Command {
  /** The synopsis and the purpose, in one line. */
  usage: string;
  run(args: readonly string[], context: CommandContext): Promise<string>;
}

export interface CommandContext {
  /** The guarded files of the project. */
  fs: FsPort;
  /** The absolute path of an argument, which may be relative to the working directory. */
  path(argument: string): string;
  /** The absolute path of a file of the project. */
  inProject(path: string): string;
}

/** Exit code 2. Every other error is exit code 1. */
export class UsageError extends Error {}
