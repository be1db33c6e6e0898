/** Deeper values are refused; the reader of JSON in the core has the same limit. */
const LEVELS = 127;

/**
 * A copy of a value that JSON can hold; undefined if JSON leaves the value out. What can throw (a getter, a cycle, a big
 * integer) throws here: an exception that crossed frames of wasm would leave them in an undefined state.
 */
export function plain(value) {
  const text = JSON.stringify(value);
  if (text === undefined) return undefined;
  const copy = JSON.parse(text);
  if (isDeeper(copy, LEVELS)) throw new RangeError(`the value nests deeper than ${LEVELS} levels`);
  return copy;
}

function isDeeper(value, levels) {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
