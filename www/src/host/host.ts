/** What this IDE gives to loopgate: its files, its git, a shell, recipes, a build and a preview. The model is chosen for each run. */
import git from 'isomorphic-git';
import { guardFs, planCommand, type Host } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { DIR, files, storage } from '../project/storage';
import { shell } from '../shell/shell';
import { build } from './build';
import { preview } from './preview';

export const host: Host = {
  fs: files,
  git: isomorphicGit({ git, fs: storage, dir: DIR }),
  dir: DIR,
  // What the agent runs obeys the harness's rules, like everything that it does. `plan` keeps them itself.
  shell: shell(() => ({ fs: guardFs(files, { dir: DIR }), commands: [planCommand({ fs: files, dir: DIR })] }), DIR),
  recipes: async (id) => (await import('../recipes/recipes')).recipe(id),
  build,
  preview,
};
