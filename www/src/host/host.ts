/** What this IDE gives to loopgate: its files, its git, a model, a build and a preview. */
import git from 'isomorphic-git';
import type { Host } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { DIR, files, storage } from '../project/storage';
import { build } from './build';
import { preview } from './preview';

export const host: Host = {
  fs: files,
  git: isomorphicGit({ git, fs: storage, dir: DIR }),
  dir: DIR,
  build,
  preview,
};
