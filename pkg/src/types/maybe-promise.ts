/** What a port returns: it may be synchronous. */
export type MaybePromise<T> = T | PromiseLike<T>;

/** The same methods, all of which return promises. */
export type Promised<T> = {
  [K in keyof T]: NonNullable<T[K]> extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : T[K];
};
