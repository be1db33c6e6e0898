/** The versions of the project, from its snapshots. Pure. */
import type { SnapshotInfo } from 'loopgate';
import { capital, phraseOf } from '../run/describe';

export interface Version {
  id: string;
  /** From 1, oldest first; only for accepted work and for what the user saved. */
  number?: number;
  title: string;
  at: number;
  /** The tag of its files; absent for work without an accepted result. */
  tag?: string;
  /** The id of its tree, to compare it with the present files. */
  tree?: string;
  /** The tag of the files before it. */
  before?: string;
  pinned?: boolean;
}

export interface Versions {
  /** Newest first. */
  versions: Version[];
  /** Saved automatically, or before a version was restored. Newest first. */
  backups: SnapshotInfo[];
}

/** The snapshots before and after a piece of work of one run are one version. `snapshots` are sorted, oldest first. */
export function versionsFrom(snapshots: readonly SnapshotInfo[]): Versions {
  const found: Version[] = [];
  const backups: SnapshotInfo[] = [];
  /** The work that has begun, by its run. */
  const begun = new Map<string | undefined, Version>();
  let number = 0;
  for (const info of snapshots) {
    const { kind, runId, tag, tree, at, name, pinned } = info;
    const work = begun.get(runId);
    if (kind === 'post') {
      const version = work ?? { id: tag, title: '', at };
      if (!work) found.push(version);
      begun.delete(runId);
      Object.assign(version, { title: titleOf(info, version.title), at, tag, tree, number: ++number, pinned });
    } else if (kind === 'manual' && !runId) {
      found.push({ id: tag, title: titleOf(info), at, tag, tree, number: ++number, pinned });
    } else if ((kind === 'pre' || kind === 'base') && !work) {
      const version = { id: tag, title: titleOf(info), at, before: tag, pinned };
      begun.set(runId, version);
      found.push(version);
    } else if (name || pinned) {
      found.push({ id: tag, title: name ?? '', at, tag, tree, pinned });
    } else {
      backups.push(info);
    }
  }
  const versions = found.sort((a, b) => a.at - b.at);
  const start = snapshots.find(({ tag }) => tag === versions[0]?.before);
  if (start) versions.unshift({ id: 'start', title: start.name ?? 'Start of the project', at: start.at, tag: start.tag, tree: start.tree, pinned: start.pinned });
  // What is kept without a name.
  for (const version of versions) version.title ||= backupTitle(snapshots.find(({ tag }) => tag === version.tag)!, versions);
  return { versions: versions.toReversed(), backups: backups.toReversed() };
}

/** `known`: the title of the work before its end. */
function titleOf({ tag, message, name }: SnapshotInfo, known = ''): string {
  const text = message === tag ? '' : message.replace(/^((pre|post)-task: |before the chunks of )/, '');
  // The tag of a spec is `spec/<spec>/<moment>`.
  return name || known || text || (tag.split('/')[1] ?? tag);
}

/** The version in a sentence. */
export const nameOf = ({ id, number, title }: Version): string => (id === 'start' ? 'the start of the project' : number ? `version ${number}` : `“${title}”`);

/** The backup in words. */
export function backupTitle(info: SnapshotInfo, versions: readonly Version[]): string {
  const { tag, message, kind } = info;
  const moment = kind === 'manual' || kind === 'undo' ? null : /^Saved the project (.*?):/.exec(phraseOf({ type: 'snapshot-saved', snapshot: info, durationMs: 0 }))?.[1];
  if (moment) return capital(moment);
  const restored = /^before the rollback to (.+)$/.exec(message)?.[1];
  if (restored === undefined) return message || tag;
  const version = versions.find(({ tag }) => tag === restored);
  const next = versions.find(({ before }) => before === restored);
  return version ? `Before restoring “${version.title}”` : next ? `Before restoring the files before “${next.title}”` : 'Before a restore';
}
