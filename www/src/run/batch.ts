/** Events are rendered in batches, so that streamed text does not render per word. */
const BATCH_MS = 40;

/** Calls `handle` with the first item at once, then at most once per BATCH_MS, and with the rest before the source ends or throws. */
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
  let isFirst = true;
  try {
    for await (const item of source) {
      items.push(item);
      if (isFirst) flush();
      else timer ??= setTimeout(flush, BATCH_MS);
      isFirst = false;
    }
  } finally {
    flush();
  }
}
