/** One run of `work` at a time. What is asked for meanwhile is answered by one more afterwards; every caller waits until all is answered. */
export function latest(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let asked = false;
  const answer = async () => {
    try {
      while (asked) {
        asked = false;
        await work();
      }
    } finally {
      running = undefined;
    }
  };
  return () => {
    asked = true;
    return (running ??= answer());
  };
}
