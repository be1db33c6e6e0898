/** The ports of this IDE, except for the model, which is chosen per run. */
import { guardFs, planCommand, snapshotCommand, type Host } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { userFiles } from '../project/edits';
import { git } from '../project/git';
import { DIR, files, storage } from '../project/storage';
import { runLocks } from '../run/locks';
import { shell } from '../shell/shell';
import { build, buildCommand } from './build';
import { preview } from './preview';

/** The user's shell: the same commands, without the rules of the agent. */
export const userShell = shell(() => ({ fs: userFiles, commands: [planCommand({ fs: files, dir: DIR }), buildCommand, snapshotCommand(host)] }), DIR);

export const host: Host = {
  fs: files,
  git: isomorphicGit({ git, fs: storage, dir: DIR }),
  dir: DIR,
  // The agent's commands get guarded files. The `plan` command checks its own writes.
  shell: shell(() => ({ fs: guardFs(files, { dir: DIR }), commands: [planCommand({ fs: files, dir: DIR }), buildCommand] }), DIR),
  recipes: async (id) => (await import('../recipes/recipes')).recipe(id),
  build,
  preview,
  ...runLocks,
};
