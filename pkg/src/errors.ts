import { property } from './own.js';

export type ErrorCode =
  | 'invalid-argument'
  | 'invalid-config'
  | 'not-found'
  | 'denied'
  | 'locked'
  | 'conflict'
  | 'fs'
  | 'git'
  | 'model'
  | 'shell'
  | 'corrupt'
  | 'unsupported'
  | 'internal';

/** The run that has the project, with the code `locked`. `id` is random for each start and resume; `since` is in milliseconds since the epoch. */
export interface Holder {
  runId: string;
  id: string;
  since: number;
}

/** A property as an object of its own, if it is there. */
function given<T extends object, K extends keyof T & string>(source: T, name: K): Partial<T> {
  const value = property(source, name);
  return Object.assign(Object.create(null), value === undefined ? undefined : { [name]: value });
}

/** A fault of the host or of loopgate. The `code` is stable, the text is not; `cause` is what the host threw. */
export class LoopgateError extends Error {
  code: ErrorCode;
  /** The same call may succeed later, unchanged. */
  retryable: boolean;
  /** The file that it is about. */
  declare path?: string;
  /** 1-based. */
  declare line?: number;
  /** 1-based, in UTF-16 code units. */
  declare column?: number;
  /** Absent if the holder of the lock is not a run of this project. */
  declare holder?: Holder;

  constructor(message?: string, details: Partial<Pick<LoopgateError, 'code' | 'retryable' | 'path' | 'line' | 'column' | 'holder' | 'cause'>> = {}) {
    const cause: unknown = property(details, 'cause');
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LoopgateError';
    this.code = property(details, 'code') ?? 'internal';
    this.retryable = property(details, 'retryable') ?? false;
    for (const name of PLACES) Object.assign(this, given(details, name));
  }

  /** For `postMessage` and `JSON.stringify`, without `cause`, which may be any object of the host. */
  toJSON(): LoopgateErrorJson {
    const places = PLACES.map((name) => given(this, name));
    return Object.assign({ name: 'LoopgateError' as const, message: this.message, code: this.code, retryable: this.retryable }, ...places);
  }

  /** The error that `toJSON` made the data of. */
  static fromJSON(json: LoopgateErrorJson): LoopgateError {
    return new LoopgateError(property(json, 'message'), json);
  }
}

/** A `LoopgateError` as plain data. */
export interface LoopgateErrorJson extends Pick<LoopgateError, 'message' | 'code' | 'retryable' | 'path' | 'line' | 'column' | 'holder'> {
  name: 'LoopgateError';
}

const PLACES = ['path', 'line', 'column', 'holder'] as const;

/** What the wasm module threw, as a `LoopgateError`: its own errors carry a code, anything else is a fault of loopgate. */
export function toLoopgateError(thrown: unknown): LoopgateError {
  if (thrown instanceof LoopgateError) return thrown;
  if (thrown instanceof Error && thrown.name === 'LoopgateError') {
    return new LoopgateError(thrown.message, thrown as unknown as LoopgateError);
  }
  return new LoopgateError(`loopgate itself failed: ${thrown}. Please report this.`, { code: 'internal', cause: thrown });
}
