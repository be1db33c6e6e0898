import { useSignal } from '@preact/signals';
import { explainPolicy, type PolicyExplanation } from 'loopgate';
import { memo } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { layer } from '../../specs/settings';
import { host } from '../../host/host';
import { clock, count } from '../../run/describe';
import type { Denial, Line, Tone } from '../../run/entry';
import { Icon, type IconName } from '../Icon';

/** Longer texts are cut: a tool result can have megabytes. */
const MAX_SHOWN = 8000;

export const TONE_ICONS: Record<Tone, IconName> = { neutral: 'dot', active: 'circle', good: 'check', warn: 'warning', bad: 'cross' };

/** One line of an attempt, with what is behind it to expand. Lines are immutable, so an equal one is not rendered again. */
export const LineRow = memo(function LineRow({ line, hasType = false }: { line: Line; hasType?: boolean }) {
  const { type, text, tone, at, call, gate, denial, note } = line;
  const head = (
    <>
      <Icon name={TONE_ICONS[tone]} />
      {hasType && <code class="entry-type">{type}</code>}
      <span class="entry-title">{text}{call && !call.result && <span class="muted"> running</span>}{call?.result?.ok === false && <span class="muted"> failed</span>}</span>
      <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
    </>
  );
  const name = `entry tone-${tone}`;
  const hasNote = note !== undefined && !text.endsWith(note.trim());
  if (!call && !denial && !hasNote) return <div class={name} data-type={type} data-gate={gate?.gate}><div class="entry-line">{head}</div></div>;
  return (
    <details class={name} data-type={type} data-gate={gate?.gate} open={denial !== undefined}>
      <summary class="entry-line">{head}</summary>
      <div class="entry-detail">
        {call && <CallDetail call={call} />}
        {denial && <DenialRule denial={denial} />}
        {hasNote && <div class="prose">{gate && tone === 'bad' && <p class="muted">Feedback sent to the agent:</p>}{clipped(note)}{gate && <span class="muted"> ({gate.gate})</span>}</div>}
      </div>
    </details>
  );
});

function CallDetail({ call: { args, result } }: { call: NonNullable<Line['call']> }) {
  const entries = typeof args === 'object' && args !== null ? Object.entries(args) : [['value', args] as const];
  return (
    <>
      <dl class="arguments">
        {entries.map(([name, value]) => <div key={name}><dt>{name}</dt><dd><pre tabIndex={0}>{clipped(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre></dd></div>)}
      </dl>
      {result && <p>{result.ok ? 'Result' : 'Failed'} <span class="muted">{result.durationMs} ms{result.changed.length > 0 && `, changed ${count(result.changed.length, 'file')}`}</span></p>}
      {result && <pre tabIndex={0}>{clipped(result.output) || '(empty)'}</pre>}
    </>
  );
}

/** The rule that denied a call, with its place in the configuration. */
function DenialRule({ denial: { rule, calls } }: { denial: Denial }) {
  const text = useSignal('Looking for the rule …');
  useEffect(() => {
    const explain = async (): Promise<string> => {
      for (const call of calls) {
        const found = await explainPolicy(host, call, { spec: layer() });
        if (found.decision === 'deny' && found.rule === rule) return explanationText(found);
      }
      return `${rule}: the configuration was changed since.`;
    };
    explain().catch(() => rule).then((found) => (text.value = found));
  }, [rule, calls]);
  return <p class="denial-rule">{text}</p>;
}

/** Such as `Denied by .handoff/config.yaml, line 2 (policy[0])`. */
const explanationText = ({ rule, file, line }: PolicyExplanation): string => `Denied by ${file ? `${file}${line === undefined ? '' : `, line ${line}`}` : 'a rule of loopgate'} (${rule})`;

const clipped = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} more characters` : text);
