import { property } from '../own.js';

/** The texts of Node.js. Hosts and isomorphic-git read only the code. */
const MEANING = {
  EACCES: 'permission denied',
  EBUSY: 'resource busy or locked',
  EEXIST: 'file already exists',
  EINVAL: 'invalid argument',
  EIO: 'input/output error',
  EISDIR: 'illegal operation on a directory',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left: the quota of this origin is used up',
  ENOSYS: 'function not implemented',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
} as const;

export type Code = keyof typeof MEANING;

/** By the name of the `DOMException`. `TypeMismatchError`: a parent is a file. */
const CODES: Record<string, Code> = {
  InvalidModificationError: 'ENOTEMPTY',
  NoModificationAllowedError: 'EBUSY',
  NotAllowedError: 'EACCES',
  NotFoundError: 'ENOENT',
  QuotaExceededError: 'ENOSPC',
  SecurityError: 'EACCES',
  TypeError: 'EINVAL',
  TypeMismatchError: 'ENOTDIR',
};

/** An error as `node:fs` throws it. */
export class FsError extends Error {
  readonly code: Code;
  readonly syscall: string;
  readonly path: string;

  constructor(code: Code, syscall: string, path: string, details: { why?: string; cause?: unknown } = {}) {
    const { why, cause } = details;
    super(`${code}: ${why ?? MEANING[code]}, ${syscall} '${path}'`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.syscall = syscall;
    this.path = path;
  }
}

/** Converts an error of the browser, which becomes the `cause`. */
export function asFsError(thrown: unknown, syscall: string, path: string): unknown {
  if (thrown instanceof FsError || typeof property(thrown, 'code') === 'string') return thrown;
  const name = (thrown as Error | null)?.name ?? '';
  const code: Code | undefined = property(CODES, name);
  const why = (thrown as Error | null)?.message || name || String(thrown);
  return code ? new FsError(code, syscall, path, { cause: thrown }) : new FsError('EIO', syscall, path, { why, cause: thrown });
}

export const isNamed = (thrown: unknown, ...names: string[]): boolean => names.includes((thrown as Error | null)?.name ?? '');
