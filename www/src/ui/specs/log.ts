import { useSignal } from '@preact/signals';
import { followRun, type EventLine } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import { host } from '../../host/host';
import { lineOf } from '../../run/describe';
import type { Spec } from '../../specs/specs';

interface LogLine extends EventLine {
  at: number;
}

/** Older runs are in their records. */
const RUNS = 4;

/** What happened to a spec in its last runs, in words, oldest first. It follows the newest run until it ends. */
export function useLog({ path, listed, runs, steps }: Pick<Spec, 'path' | 'listed' | 'runs' | 'steps'>): readonly LogLine[] {
  const lines = useSignal<readonly LogLine[]>([]);
  const last = runs.slice(0, RUNS).filter(({ reason }, at) => at === 0 || reason !== 'open').map(({ runId }) => runId).reverse();
  const titles = useRef<Record<string, string>>({});
  titles.current = Object.fromEntries(steps.map(({ id, title }) => [id, title]));
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      const read: LogLine[] = [];
      for (const runId of last) {
        let piece: string | undefined;
        for await (const event of followRun(host, { runId, signal: stop.signal })) {
          if (event.type === 'spec-started') piece = event.spec;
          // In a run over steps, `iteration-started` does not count attempts at a step.
          const isOther = listed ? piece !== path && event.type !== 'run-failed' : event.type === 'iteration-started' && event.role !== 'planner';
          const line = isOther ? null : lineOf(event, titles.current);
          if (event.type === 'spec-finished') piece = undefined;
          if (!line || line.kind === 'detail') continue;
          read.push({ at: event.at, ...line });
          lines.value = [...read];
        }
      }
    };
    // A damaged journal has no lines.
    follow().catch(() => {});
    return () => stop.abort();
  }, [path, last.join()]);
  return lines.value;
}
