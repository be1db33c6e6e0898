// The same work with isomorphic-git's commands.
import git from 'isomorphic-git';
import type { Project } from '../project.ts';

const author = { name: 'bench', email: 'bench@example.com' };

export const init = ({ at }: Project): Promise<void> => git.init({ ...at, defaultBranch: 'main' });

export async function saveAll({ at }: Project, tag: string): Promise<void> {
  await git.add({ ...at, filepath: '.' });
  await commit(at, tag);
}

/** Adds only the changes that `statusMatrix` finds. */
export async function saveChanges({ at }: Project, tag: string): Promise<void> {
  for (const [filepath, , workdir, stage] of await git.statusMatrix(at)) {
    if (workdir === 0) await git.remove({ ...at, filepath });
    else if (workdir !== stage) await git.add({ ...at, filepath });
  }
  await commit(at, tag);
}

/** The commits of all snapshots. */
export async function listAll({ at }: Project): Promise<unknown[]> {
  const folder = 'refs/loopgate/snapshots';
  const names = await git.listRefs({ ...at, filepath: folder });
  return Promise.all(names.map(async (name) => git.readCommit({ ...at, oid: await git.resolveRef({ ...at, ref: `${folder}/${name}` }) })));
}

export const checkout = ({ at }: Project, tag: string): Promise<void> => git.checkout({ ...at, ref: tag, force: true });

async function commit(at: Project['at'], tag: string): Promise<void> {
  await git.commit({ ...at, message: tag, author });
  await git.tag({ ...at, ref: tag, force: true });
}
