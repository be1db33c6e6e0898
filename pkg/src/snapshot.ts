import { answerOf } from './answer.js';
import { object, optional, optionalText, text, words } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { FileChange, Host, ShellCommand, SnapshotInfo } from './types/index.js';

/** Snapshots: commits that only their tags reach. HEAD, branches and the index stay as they are. */
export const snapshot = {
  save(host: Host, options: { message?: string; tag?: string } = {}): Promise<SnapshotInfo> {
    return answerOf(() => {
      const { message, tag } = optional(options, 'options');
      return wasm().saveSnapshot(object(host, 'host'), optionalText(message, 'message'), optionalText(tag, 'tag'));
    });
  },

  /**
   * All snapshots that have a tag, oldest first; with `iterations`, those of a run's iterations instead, whose `tag` is the
   * full name `refs/loopgate/iterations/<run>/<n>`. `rollback`, `diff`, `verify` and `readFile` take that name as well.
   */
  list(host: Host, options: { iterations?: boolean } = {}): Promise<SnapshotInfo[]> {
    return answerOf(() => wasm().listSnapshots(object(host, 'host'), Boolean(optional(options, 'options').iterations)));
  },

  /** Hard restore of files, plan and counters. Saves what it replaces first: `undo` brings it back. `restored` lists files that differed. */
  rollback(host: Host, tag: string, options: { dryRun?: boolean } = {}): Promise<{ tag: string; restored: string[]; deleted: string[]; undo: string }> {
    return answerOf(() => wasm().rollbackTo(object(host, 'host'), text(tag, 'tag'), Boolean(optional(options, 'options').dryRun)));
  },

  /** Brings back what the last rollback replaced, saving the present first. */
  undo(host: Host): Promise<{ tag: string }> {
    return answerOf(() => wasm().undoRollback(object(host, 'host')));
  },

  diff(host: Host, from: string, to?: string): Promise<FileChange[]> {
    return answerOf(() => wasm().diffSnapshots(object(host, 'host'), text(from, 'from'), optionalText(to, 'to')));
  },

  status(host: Host): Promise<{ current: string | null; changes: FileChange[]; last: SnapshotInfo | null }> {
    return answerOf(() => wasm().snapshotStatus(object(host, 'host')));
  },

  verify(host: Host, tag: string): Promise<{ ok: boolean; missing: string[]; different: string[]; extra: string[] }> {
    return answerOf(() => wasm().verifySnapshot(object(host, 'host'), text(tag, 'tag')));
  },

  async readFile(host: Host, tag: string, path: string): Promise<Uint8Array | null> {
    try {
      return await wasm().readSnapshotFile(object(host, 'host'), text(tag, 'tag'), text(path, 'path'));
    } catch (thrown) {
      throw toLoopgateError(thrown);
    }
  },
};

/** A command for an IDE's shell: `snapshot save "…" | list | rollback TAG | diff TAG | status`, as the agent's tool has it. */
export function snapshotCommand(host: Host): ShellCommand {
  return {
    name: 'snapshot',
    execute: (args) => answerOf(() => wasm().runSnapshotCommand(object(host, 'host'), words(args, 'args'))),
  };
}
