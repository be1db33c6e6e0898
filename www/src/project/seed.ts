/** Creates projects: the files and a git repository with one commit. */
import { git } from './git';
import { DIR, exists, files, storage, writeText } from './storage';
import { template, type ProjectFiles } from './template';

/** The last file, before the repository. */
const LAST = 'package.json';
/** A project with one of these is not empty. The user may have removed the others. */
const SIGNS = [LAST, '.git', '.loopgate'];

/** Returns whether the project was empty. */
export async function seedIfEmpty(): Promise<boolean> {
  for (const sign of SIGNS) if (await exists(sign)) return false;
  await resetProject(template);
  return true;
}

/** Deletes the project with its history and snapshots, and creates a new one with these files. */
export async function resetProject(project: ProjectFiles): Promise<void> {
  await remove(DIR);
  await files.mkdir(DIR);
  const last = project.filter(([path]) => path === LAST);
  for (const [path, text] of [...project.filter(([path]) => path !== LAST), ...last]) {
    await writeText(path, text);
  }
  await commit(project);
  await files.flush();
}

async function commit(project: ProjectFiles): Promise<void> {
  await git.init({ fs: storage, dir: DIR, defaultBranch: 'main' });
  for (const [path] of project) await git.add({ fs: storage, dir: DIR, filepath: path });
  const author = { name: 'loopgate demo', email: 'demo@localhost' };
  await git.commit({ fs: storage, dir: DIR, message: 'Start from the template', author });
}

/** A list of snapshots that runs meanwhile may write a file, so a folder that is not empty is read again, up to `tries` times. */
async function remove(path: string, tries = 20): Promise<void> {
  const names = await files.readdir(path).catch(() => null);
  if (!names) return;
  for (const name of names) {
    const child = `${path}/${name}`;
    const stat = await files.lstat(child).catch(() => null);
    if (stat?.isDirectory()) await remove(child, tries);
    else if (stat) await files.unlink(child);
  }
  await files.rmdir(path).catch((error) => (tries > 0 && error.code === 'ENOTEMPTY' ? remove(path, tries - 1) : Promise.reject(error)));
}
