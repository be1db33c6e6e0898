/** The delay of the scripted model, so that a person can follow. `?delay=0` in the address switches it off. */
const DEFAULT_MS = 250;

/** Milliseconds before each turn and each delta. */
export function delayFromAddress(search = location.search): number {
  const given = new URLSearchParams(search).get('delay');
  const delay = Number(given ?? DEFAULT_MS);
  return Number.isFinite(delay) && delay >= 0 ? delay : DEFAULT_MS;
}
