/** The project's files as a tree, read from the file system. */
import { absolute, files } from './storage';

export interface TreeNode {
  name: string;
  path: string;
  /** Absent for a file. */
  children?: TreeNode[];
}

/** Folders that users do not open. */
const HIDDEN = new Set(['.git', '.loopgate', 'node_modules']);

export async function readTree(folder = ''): Promise<TreeNode[]> {
  const names = await files.readdir(absolute(folder)).catch(() => []);
  const nodes = await Promise.all(names.filter((name) => !HIDDEN.has(name)).map((name) => readNode(folder, name)));
  return nodes.filter((node) => node !== null).sort(foldersFirst);
}

/** `null` if the entry was removed during the read. */
async function readNode(folder: string, name: string): Promise<TreeNode | null> {
  const path = folder ? `${folder}/${name}` : name;
  const stat = await files.lstat(absolute(path)).catch(() => null);
  if (!stat) return null;
  return stat.isDirectory() ? { name, path, children: await readTree(path) } : { name, path };
}

function foldersFirst(a: TreeNode, b: TreeNode): number {
  return Number(!a.children) - Number(!b.children) || a.name.localeCompare(b.name);
}

/** The paths of all files, in tree order. */
export function filePaths(nodes: TreeNode[]): string[] {
  return nodes.flatMap((node) => (node.children ? filePaths(node.children) : [node.path]));
}
