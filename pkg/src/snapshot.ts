import { answerOf } from './answer.js';
import { object, optional, optionalText, text, words } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { FileChange, Host, Rollback, ShellCommand, SnapshotInfo, SnapshotStatus } from './types/index.js';

/**
 * Snapshots: commits that only their tags reach. HEAD, branches and the index stay as they are. One save or rollback
 * of a project waits for the other, across tabs where the browser has locks.
 */
export const snapshot = {
  /** Keeps the files as they are. Where nothing changed since the last snapshot, the new one shares its commit; a tag that a snapshot has is moved. */
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
  rollback(host: Host, tag: string, options: { dryRun?: boolean } = {}): Promise<Rollback> {
    return answerOf(() => wasm().rollbackTo(object(host, 'host'), text(tag, 'tag'), Boolean(optional(options, 'options').dryRun)));
  },

  /** Brings back what the last rollback replaced, saving the present first. */
  undo(host: Host): Promise<Rollback> {
    return answerOf(() => wasm().undoRollback(object(host, 'host')));
  },

  /** What changed from one snapshot to another, or to the files as they are. */
  diff(host: Host, from: string, to?: string): Promise<FileChange[]> {
    return answerOf(() => wasm().diffSnapshots(object(host, 'host'), text(from, 'from'), optionalText(to, 'to')));
  },

  /** `current` is the tag of the snapshot that equals the files; `changes` are those since the last one. */
  status(host: Host): Promise<SnapshotStatus> {
    return answerOf(() => wasm().snapshotStatus(object(host, 'host')));
  },

  /** How the files compare with a snapshot: `missing` and `different` ones, and `extra` ones that it has not. */
  verify(host: Host, tag: string): Promise<{ ok: boolean; missing: string[]; different: string[]; extra: string[] }> {
    return answerOf(() => wasm().verifySnapshot(object(host, 'host'), text(tag, 'tag')));
  },

  /** A file of a snapshot; `null` where it has none. The path is relative to `dir`, or absolute. */
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
