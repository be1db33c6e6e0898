/**
 * Runs in a page before its scripts, and in a worker of tests: its limits of several seconds get a hundred times longer, so that no test depends on how busy
 * the machine is. Such limits belong to a preview, a message on the screen, a command, a file system, a model. Pauses stay as they are.
 */
export function stretchLimits() {
  // Frames have limits of their own. A worker has no `top`.
  if (globalThis.top && globalThis !== globalThis.top) return;
  const longer = (ms) => (ms >= 3000 ? Math.min(ms * 100, 2 ** 31 - 1) : ms);
  for (const name of ['setTimeout', 'setInterval']) {
    const real = globalThis[name].bind(globalThis);
    globalThis[name] = (work, ms, ...rest) => real(work, longer(ms), ...rest);
  }
  const real = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => real(longer(ms));
}
