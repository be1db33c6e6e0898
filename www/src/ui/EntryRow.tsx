import { memo } from 'preact/compat';
import { clock } from '../run/describe';
import type { Detail, Entry, Tone } from '../run/entry';
import { EntryDetail } from './EntryDetail';
import { Icon, type IconName } from './Icon';

const ICONS: Record<Tone, IconName> = { neutral: 'dot', active: 'circle', good: 'check', warn: 'warning', bad: 'cross' };

/** One line of the timeline, with details to expand. Entries are immutable, so an equal one is not rendered again. */
export const EntryRow = memo(function EntryRow({ entry }: { entry: Entry }) {
  const { label, title, tone, at, detail } = entry;
  const line = (
    <>
      <Icon name={ICONS[tone]} />
      <span class="entry-label">{label}</span>
      <span class="entry-title">{title}<ToolState entry={entry} /></span>
      <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
    </>
  );
  const plain = !detail || repeatsTitle(detail, title);
  const gate = detail?.kind === 'gate' ? detail.report.gate : undefined;
  const name = `entry tone-${tone} entry-${label.toLowerCase()}`;
  if (plain) return <div class={name} data-label={label} data-gate={gate}><div class="entry-line">{line}</div></div>;
  return (
    <details class={name} data-label={label} data-gate={gate} open={isExpanded(entry)}>
      <summary class="entry-line">{line}</summary>
      <EntryDetail detail={detail} />
    </details>
  );
});

function ToolState({ entry: { detail } }: { entry: Entry }) {
  if (detail?.kind !== 'tool') return null;
  if (!detail.result) return <span class="entry-state"> running</span>;
  return detail.result.ok ? null : <span class="entry-state"> failed</span>;
}

const repeatsTitle = (detail: Detail, title: string): boolean =>
  (detail.kind === 'text' && detail.text.trim() === title.trim()) || (detail.kind === 'gate' && !detail.report.feedback);

/** A denial, and a failed plan or gate, is expanded. */
const isExpanded = ({ tone, detail }: Entry): boolean => detail?.kind === 'denial' || (tone === 'bad' && (detail?.kind === 'plan' || detail?.kind === 'gate'));
