import type { PlanReport } from 'loopgate';
import { count } from '../run/describe';
import type { Detail } from '../run/entry';
import { DenialRule } from './DenialRule';
import { BuildContext } from './plan/BuildContext';

/** Longer texts are cut: a tool result can have megabytes. */
const MAX_SHOWN = 8000;

export function EntryDetail({ detail }: { detail: Detail }) {
  switch (detail.kind) {
    case 'text':
    case 'note':
      return <div class="entry-detail prose">{detail.text}</div>;
    case 'tool':
      return <ToolDetail {...detail} />;
    case 'plan':
      return <PlanDetail report={detail.report} />;
    case 'context':
      return <div class="entry-detail"><BuildContext theme={detail.theme} sections={detail.sections} /></div>;
    case 'gate':
      return <div class="entry-detail prose">{detail.report.feedback} <span class="muted">({detail.report.gate}, {detail.report.durationMs} ms)</span></div>;
    case 'denial':
      return <div class="entry-detail prose"><DenialRule denial={detail} /></div>;
    case 'files':
      return <ul class="entry-detail file-list">{detail.paths.map((path) => <li key={path}>{path}</li>)}</ul>;
  }
}

function ToolDetail({ args, result }: Extract<Detail, { kind: 'tool' }>) {
  return (
    <div class="entry-detail">
      <Arguments args={args} />
      {result && (
        <>
          <h3>{result.ok ? 'Result' : 'Failed'} <span class="muted">{result.durationMs} ms{result.changed.length > 0 && `, changed ${count(result.changed.length, 'file')}`}</span></h3>
          <pre tabIndex={0}>{clipped(result.output) || '(empty)'}</pre>
        </>
      )}
    </div>
  );
}

function Arguments({ args }: { args: unknown }) {
  if (typeof args !== 'object' || args === null) return <pre tabIndex={0}>{clipped(String(args))}</pre>;
  const entries = Object.entries(args);
  if (!entries.length) return <p class="muted">No arguments.</p>;
  return (
    <dl class="arguments">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd><pre tabIndex={0}>{clipped(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre></dd>
        </div>
      ))}
    </dl>
  );
}

function PlanDetail({ report }: { report: PlanReport }) {
  const findings = [...report.failures.map((finding) => ({ kind: 'Failure', finding })), ...report.warnings.map((finding) => ({ kind: 'Warning', finding }))];
  if (!findings.length) return <div class="entry-detail prose">No findings.</div>;
  return (
    <ul class="entry-detail findings">
      {findings.map(({ kind, finding }) => (
        <li key={`${finding.id}:${finding.line}:${finding.column}`}>
          <strong>{kind}</strong> <code>{finding.id}</code> at line {finding.line}, column {finding.column}: {finding.message}
          {finding.suggestions?.length ? <span class="suggestion"> Suggested: {finding.suggestions.join(', ')}</span> : null}
        </li>
      ))}
    </ul>
  );
}

const clipped = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} more characters` : text);
