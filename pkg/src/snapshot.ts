import { answerOf } from './answer.js';
import { object, optional, optionalText, text, words } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { FileChange, Host, ShellCommand, SnapshotInfo } from './types/index.js';

/**
 * Snapshots: commits that only their tags reach. HEAD, branches and the index stay as they are. Within a page, one save or
 * rollback of a file system waits for the other.
 */
export const snapshot = {
  /** Keeps the files as they are. Where nothing changed since the last snapshot, the tag is one more name of that one; a tag that a snapshot has is moved. */
  save(host: Host, options: { message?: string; tag?: string } = {}): Promise<SnapshotInfo> {
    return answerOf(() => {
      const { message, tag } = optional(options, 'options');
      const [words, name] = [optionalText(message, 'message'), optionalText(tag, 'tag')];
      return inTurn(host, () => wasm().saveSnapshot(host, words, name));
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
    return answerOf(() => {
      const [target, isDry] = [text(tag, 'tag'), Boolean(optional(options, 'options').dryRun)];
      return inTurn(host, () => wasm().rollbackTo(host, target, isDry));
    });
  },

  /** Brings back what the last rollback replaced, saving the present first. */
  undo(host: Host): Promise<{ tag: string }> {
    return answerOf(() => inTurn(host, () => wasm().undoRollback(host)));
  },

  /** What changed from one snapshot to another, or to the files as they are. */
  diff(host: Host, from: string, to?: string): Promise<FileChange[]> {
    return answerOf(() => wasm().diffSnapshots(object(host, 'host'), text(from, 'from'), optionalText(to, 'to')));
  },

  /** `current` is the tag of the snapshot that equals the files; `changes` are those since the last one. */
  status(host: Host): Promise<{ current: string | null; changes: FileChange[]; last: SnapshotInfo | null }> {
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
    execute: (args) =>
      answerOf(() => {
        const given = words(args, 'args');
        return inTurn(host, () => wasm().runSnapshotCommand(host, given));
      }),
  };
}

/** What writes snapshots in this page, one after the other, by the file system. */
const queues = new WeakMap<object, Promise<unknown>>();

/** Two at once would find the same name free, and keep a mixture of what the other one writes. */
function inTurn(host: Host, write: () => Promise<string>): Promise<string> {
  const { fs } = object(host, 'host');
  if (typeof fs !== 'object' || fs === null) return write();
  const turn = (queues.get(fs) ?? Promise.resolve()).then(write);
  queues.set(fs, turn.catch(() => {}));
  return turn;
}
