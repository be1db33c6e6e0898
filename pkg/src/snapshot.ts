import { answerOf } from './answer.js';
import { kindOf, knownFields, object, optionalFields, optionalText, text, words, wrong } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { FileChange, Host, Rollback, ShellCommand, SnapshotInfo, SnapshotKind, SnapshotStatus } from './types/index.js';

/**
 * Snapshots are commits that only their refs reach. HEAD, branches and the index do not change. Saves and rollbacks of a project run
 * one at a time, across tabs if the browser has the Web Locks API.
 */
export const snapshot = {
  /**
   * Saves the files. Without changes since the last snapshot, the new one shares its commit. A `tag` is a git tag; the tag of a snapshot
   * is moved, unless it is pinned or loopgate's own (`conflict`). `name` is for people.
   */
  save(host: Host, options: { message?: string; tag?: string; name?: string } = {}): Promise<SnapshotInfo> {
    return answerOf(() => {
      const { message, tag, name } = optionalFields(options, 'options', 'message', 'tag', 'name');
      return wasm().saveSnapshot(object(host, 'host'), optionalText(message, 'message'), optionalText(tag, 'tag'), optionalText(name, 'name'));
    });
  },

  /**
   * The snapshots, oldest first: of one kind or of several kinds, by default all but the backups after iterations. The `tag` of a
   * backup is the full name of its ref, `refs/loopgate/iterations/<run>/<n>`, which `rollback`, `diff`, `verify`, `readFile` and
   * `label` also accept. `iterations: true` is `kind: 'iteration'`.
   */
  list(host: Host, options: { kind?: SnapshotKind | SnapshotKind[]; iterations?: boolean } = {}): Promise<SnapshotInfo[]> {
    return answerOf(() => {
      const { kind, iterations } = optionalFields(options, 'options', 'kind', 'iterations');
      const given = kind ?? (iterations ? 'iteration' : undefined);
      return wasm().listSnapshots(object(host, 'host'), given === undefined ? undefined : words(typeof given === 'string' ? [given] : given, 'kind'));
    });
  },

  /**
   * Gives a snapshot a name or a pin; what is not given stays. `name: null` removes the name. loopgate neither removes nor replaces a
   * pinned snapshot.
   */
  label(host: Host, tag: string, label: { name?: string | null; pinned?: boolean }): Promise<SnapshotInfo> {
    return answerOf(() => {
      const { name, pinned } = knownFields(object(label, 'label'), 'label', 'name', 'pinned');
      if (pinned !== undefined && typeof pinned !== 'boolean') throw wrong(`\`label.pinned\` must be a boolean, not ${kindOf(pinned)}`);
      return wasm().labelSnapshot(object(host, 'host'), text(tag, 'tag'), name === null ? '' : optionalText(name, 'label.name'), pinned);
    });
  },

  /**
   * Restores files, plan and counters. With `paths`, only these files and folders: a file that the snapshot does not have is deleted,
   * and everything else stays, also the files of the task in `.ralph`. Saves what it replaces first; `undo` restores that.
   */
  rollback(host: Host, tag: string, options: { dryRun?: boolean; paths?: string[] } = {}): Promise<Rollback> {
    return answerOf(() => {
      const { dryRun, paths } = optionalFields(options, 'options', 'dryRun', 'paths');
      return wasm().rollbackTo(object(host, 'host'), text(tag, 'tag'), Boolean(dryRun), paths === undefined || paths === null ? undefined : words(paths, 'paths'));
    });
  },

  /** Restores what the last rollback replaced: all files, or its `paths`. Saves the present state first. */
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
