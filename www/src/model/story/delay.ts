/** How long the scripted model takes, so that a person can watch: `?delay=0` in the address for no time at all. */
const DEFAULT_MS = 250;

/** Milliseconds before each turn and each piece of what it says. */
export function delayFromAddress(search = location.search): number {
  const given = new URLSearchParams(search).get('delay');
  const delay = Number(given ?? DEFAULT_MS);
  return Number.isFinite(delay) && delay >= 0 ? delay : DEFAULT_MS;
}
