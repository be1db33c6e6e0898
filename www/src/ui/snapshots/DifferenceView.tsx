import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { FileChange } from 'loopgate';
import { bytes, count } from '../../run/describe';
import { versionsOf, type State, type Version } from '../../snapshots/comparison';
import { messageOf } from '../../snapshots/snapshots';

/** Longer texts are not compared, because that would block the page. */
const LONGEST = 500_000;

interface Side {
  state: State;
  name: string;
}

/** One file before and after. */
export function DifferenceView({ change, from, to }: { change: FileChange; from: Side; to: Side }) {
  const place = useRef<HTMLDivElement>(null);
  const status = useSignal('Loading …');
  useEffect(() => {
    let current = true;
    let remove = () => {};
    const show = async () => {
      const { before, after } = await versionsOf(change, from.state, to.state);
      if (!current) return;
      const note = noteFor(before, after);
      if (note) return void (status.value = note);
      const { showDifference } = await import('../../snapshots/difference');
      if (!current || !place.current) return;
      const difference = showDifference(place.current, textOf(before), textOf(after), { before: `${change.path}, ${from.name}`, after: `${change.path}, ${to.name}` });
      remove = difference.destroy;
      status.value = `${count(difference.added, 'line')} added, ${count(difference.removed, 'line')} removed`;
    };
    status.value = 'Loading …';
    show().catch((error) => current && (status.value = messageOf(error)));
    return () => {
      current = false;
      remove();
    };
  }, [change, from.name, to.name]);
  return (
    <section class="difference" aria-label={`What changes in ${change.path}`}>
      <p class="difference-head"><code>{change.path}</code> <span class="muted" role="status">{status.value}</span></p>
      <p class="difference-sides muted"><span>{from.name}</span><span>{to.name}</span></p>
      <div ref={place} class="difference-body" />
    </section>
  );
}

/** The note for files whose texts are not shown, or null. */
function noteFor(before: Version, after: Version): string | null {
  const sizes = [before, after].map((version) => (version ? bytes('text' in version ? version.text.length : version.bytes) : 'nothing'));
  if ([before, after].some((version) => version && 'bytes' in version)) return `Binary file: ${sizes[0]} before, ${sizes[1]} after`;
  if ([before, after].some((version) => version && 'text' in version && version.text.length > LONGEST)) return `Too long to compare: ${sizes[0]} before, ${sizes[1]} after`;
  if (textOf(before) === '' && textOf(after) === '') return 'Empty file';
  return null;
}

const textOf = (version: Version): string => (version && 'text' in version ? version.text : '');
