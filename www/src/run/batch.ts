/** Events are shown in batches: a stream of words must not render once a word. */
const BATCH_MS = 40;

/** Hands over what comes, together and at most once in BATCH_MS; where the source ends or throws, the rest before that. */
export async function inBatches<T>(source: AsyncIterable<T>, handle: (items: T[]) => void): Promise<void> {
  let items: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = items;
    items = [];
    if (batch.length) handle(batch);
  };
  try {
    for await (const item of source) {
      items.push(item);
      timer ??= setTimeout(flush, BATCH_MS);
    }
  } finally {
    flush();
  }
}
