import type { FsPort } from 'loopgate';

export async function readText(fs: FsPort, path: string): Promise<string> {
  const read = await fs.readFile(path, 'utf8');
  return typeof read === 'string' ? read : new TextDecoder().decode(read);
}

/** Empty for a missing file. */
export async function readTextIfAny(fs: FsPort, path: string): Promise<string> {
  try {
    return await readText(fs, path);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return '';
    throw error;
  }
}
