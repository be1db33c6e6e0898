/**
 * A property of an object, or of its class; undefined if it has none. What `Object.prototype` has never counts.
 * `pkg/src/own.ts` is the same function for the package.
 */
export function property(value, name) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  for (let at = value; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, name)) return isRoot(at) ? undefined : value[name];
  }
  // A proxy may have properties that it does not name.
  return value[name];
}

/** `Object.prototype` of this realm or another. */
function isRoot(value) {
  return Object.getPrototypeOf(value) === null && Object.hasOwn(value, 'isPrototypeOf');
}
