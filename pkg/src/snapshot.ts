import { answerOf } from './answer.js';
import { object, optionalFields, optionalText, text, words } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { FileChange, Host, Rollback, ShellCommand, SnapshotInfo, SnapshotStatus } from './types/index.js';

/**
 * Snapshots are commits that only their tags reach. HEAD, branches and the index do not change. Saves and rollbacks of a project run
 * one at a time, across tabs if the browser has the Web Locks API.
 */
export const snapshot = {
  /** Saves the files. Without changes since the last snapshot, the new one shares its commit. An existing tag is moved. */
  save(host: Host, options: { message?: string; tag?: string } = {}): Promise<SnapshotInfo> {
    return answerOf(() => {
      const { message, tag } = optionalFields(options, 'options', 'message', 'tag');
      return wasm().saveSnapshot(object(host, 'host'), optionalText(message, 'message'), optionalText(tag, 'tag'));
    });
  },

  /**
   * All tagged snapshots, oldest first. With `iterations`, those of iterations instead: their `tag` is the full ref name
   * `refs/loopgate/iterations/<run>/<n>`, which `rollback`, `diff`, `verify` and `readFile` also accept.
   */
  list(host: Host, options: { iterations?: boolean } = {}): Promise<SnapshotInfo[]> {
    return answerOf(() => wasm().listSnapshots(object(host, 'host'), Boolean(optionalFields(options, 'options', 'iterations').iterations)));
  },

  /** Restores files, plan and counters. Saves the present state first; `undo` restores that. */
  rollback(host: Host, tag: string, options: { dryRun?: boolean } = {}): Promise<Rollback> {
    return answerOf(() => wasm().rollbackTo(object(host, 'host'), text(tag, 'tag'), Boolean(optionalFields(options, 'options', 'dryRun').dryRun)));
  },

  /** Restores the state before the last rollback. Saves the present state first. */
  undo(host: Host): Promise<Rollback> {
    return answerOf(() => wasm().undoRollback(object(host, 'host')));
  },

  /** The files that differ between two snapshots, or between a snapshot and the present files. Lines are not compared. */
  diff(host: Host, from: string, to?: string): Promise<FileChange[]> {
    return answerOf(() => wasm().diffSnapshots(object(host, 'host'), text(from, 'from'), optionalText(to, 'to')));
  },

  status(host: Host): Promise<SnapshotStatus> {
    return answerOf(() => wasm().snapshotStatus(object(host, 'host')));
  },

  /** Compares the files with a snapshot. `extra` files are not in the snapshot. */
  verify(host: Host, tag: string): Promise<{ ok: boolean; missing: string[]; different: string[]; extra: string[] }> {
    return answerOf(() => wasm().verifySnapshot(object(host, 'host'), text(tag, 'tag')));
  },

  /** A file of a snapshot, or `null`. The path is relative to `dir`, or absolute. */
  async readFile(host: Host, tag: string, path: string): Promise<Uint8Array | null> {
    try {
      return await wasm().readSnapshotFile(object(host, 'host'), text(tag, 'tag'), text(path, 'path'));
    } catch (thrown) {
      throw toLoopgateError(thrown);
    }
  },
};

/** The command `snapshot save "…" | list | rollback TAG | diff TAG | status` for the IDE's shell. The agent has it as a tool. */
export function snapshotCommand(host: Host): ShellCommand {
  return {
    name: 'snapshot',
    execute: (args) => answerOf(() => wasm().runSnapshotCommand(object(host, 'host'), words(args, 'args'))),
  };
}
