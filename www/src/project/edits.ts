/** The files as the user changes them in this page. The run of this tab gets their paths, so that the changes are the user's. */
import type { FsPort } from 'loopgate';
import { DIR, files, makeFolders } from './storage';

let listener: ((paths: string[]) => void) | null = null;

/** `null`: no run of this tab is active. */
export function onEdits(next: ((paths: string[]) => void) | null): void {
  listener = next;
}

/** The user edits these files. Every editor calls it before it writes, so that the change is the user's as soon as it is there. */
export function edits(...paths: string[]): void {
  listener?.(paths);
}

const isKept = (name?: string): boolean => name === '.git' || name === '.loopgate';

/** The path in the project. Throws for what is not the user's to change. */
export function userPath(path: string): string {
  const parts: string[] = [];
  let isOutside = path.startsWith('/') && !`${path}/`.startsWith(`${DIR}/`);
  for (const part of path.replace(new RegExp(`^${DIR}(/|$)`), '').split('/')) {
    if (part === '..') isOutside ||= parts.pop() === undefined;
    else if (part !== '' && part !== '.') parts.push(part);
  }
  if (isOutside) throw new Error(`${path} is outside of the project`);
  if (isKept(parts[0])) throw new Error(`${parts[0]} is kept by ${parts[0] === '.git' ? 'git' : 'loopgate'} and cannot be opened here`);
  return parts.join('/');
}

const at = (path: string): string => `${DIR}/${userPath(path)}`;
const folder = (path: string): string => userPath(path).split('/').slice(0, -1).join('/');

/** For the editors and the shell of the user. Changes are durable at once. */
export const userFiles = {
  readFile: async (path, options) => files.readFile(at(path), options),
  readdir: async (path) => (await files.readdir(at(path))).filter((name) => userPath(path) || !isKept(name)),
  stat: async (path) => files.stat(at(path)),
  mkdir: async (path) => makeFolders(userPath(path)),
  rmdir: async (path) => files.rmdir(at(path)),
  async writeFile(path, data) {
    edits(userPath(path));
    await makeFolders(folder(path));
    await files.writeFile(at(path), data);
    await files.flush();
  },
  async unlink(path) {
    edits(userPath(path));
    await files.unlink(at(path));
    await files.flush();
  },
  async rename(from, to) {
    edits(userPath(from), userPath(to));
    await makeFolders(folder(to));
    await files.rename(at(from), at(to));
    await files.flush();
  },
} satisfies FsPort;
