import { memo } from 'preact/compat';
import { clock } from '../run/describe';
import type { Detail, Entry, Tone } from '../run/entry';
import { EntryDetail } from './EntryDetail';
import { Icon, type IconName } from './Icon';

const ICONS: Record<Tone, IconName> = { neutral: 'dot', active: 'circle', good: 'check', warn: 'warning', bad: 'cross' };

/** One line of the timeline; it opens where there is more to say. An entry is never changed, so an equal one need not be drawn. */
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
  const plain = !detail || saysNoMore(detail, title);
  const name = `entry tone-${tone} entry-${label.toLowerCase()}`;
  if (plain) return <div class={name} data-label={label}><div class="entry-line">{line}</div></div>;
  return (
    <details class={name} data-label={label} open={opensItself(entry)}>
      <summary class="entry-line">{line}</summary>
      <EntryDetail detail={detail} />
    </details>
  );
});

function ToolState({ entry: { detail } }: { entry: Entry }) {
  if (detail?.kind !== 'tool') return null;
  if (!detail.result) return <span class="entry-state"> running</span>;
  return detail.result.ok ? null : <span class="entry-state"> refused</span>;
}

const saysNoMore = (detail: Detail, title: string): boolean =>
  (detail.kind === 'text' && detail.text.trim() === title.trim()) || (detail.kind === 'gate' && !detail.report.feedback);

/** What stopped the agent is what a person wants to read. */
const opensItself = ({ tone, detail }: Entry): boolean => tone === 'bad' && (detail?.kind === 'plan' || detail?.kind === 'gate');
