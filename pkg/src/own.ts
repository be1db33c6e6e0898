// Objects from outside: options, answers of servers, results of the host. What every object inherits is not theirs, whoever put it there.

/**
 * A property of an object, or of its class; `undefined` if it has none. What `Object.prototype` has never counts. `src/wasm/page.js` has
 * the same function for the wasm module.
 */
export function property(value: unknown, name: PropertyKey): any {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, name)) return isRoot(at) ? undefined : (value as any)[name];
  }
  // A proxy may have properties that it does not name.
  return (value as any)[name];
}

/** These properties, in an object without a prototype. */
export function properties<K extends PropertyKey>(value: unknown, ...names: K[]): Record<K, any> {
  const found = Object.create(null);
  for (const name of names) found[name] = property(value, name);
  return found;
}

/** `Object.prototype` of this realm or another. */
function isRoot(value: object): boolean {
  return Object.getPrototypeOf(value) === null && Object.hasOwn(value, 'isPrototypeOf');
}

/** A copy without a prototype: of an object from outside, or of options for a function that would read inherited ones. */
export function bare<T extends object>(value: T): T {
  return Object.assign(Object.create(null), value);
}
