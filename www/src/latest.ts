/** Runs `work` one at a time. Calls during a run cause one more run after it; every caller waits for the last one. */
export function latest(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let requested = false;
  const runAll = async () => {
    try {
      while (requested) {
        requested = false;
        await work();
      }
    } finally {
      running = undefined;
    }
  };
  return () => {
    requested = true;
    return (running ??= runAll());
  };
}
