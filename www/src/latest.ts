/** One run of `work` at a time. What is asked for meanwhile is answered by one more afterwards. */
export function latest(work: () => Promise<void>): () => Promise<void> {
  let running = false;
  let asked = false;
  return async () => {
    asked = true;
    if (running) return;
    running = true;
    try {
      while (asked) {
        asked = false;
        await work();
      }
    } finally {
      running = false;
    }
  };
}
