/**
 * The only limit in time of these tests: a guard against a hang. No wait has an end of its own, because a busy machine is late
 * and not wrong. `HANG_MINUTES=1` reports a wait that cannot end sooner, with what the page shows.
 */
export const HANG_MS = Number(process.env.HANG_MINUTES ?? 15) * 60_000;

/** What `work` results in. Rejects if it hangs. */
export function guarded(work) {
  let timer;
  const hang = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`this test has hung for ${HANG_MS / 60_000} minutes`)), HANG_MS);
  });
  return Promise.race([work, hang]).finally(() => clearTimeout(timer));
}
