import type { GateReport } from 'loopgate';
import { groupsOf, VERDICTS, type Group } from '../run/cards';
import { count, phraseOf } from '../run/describe';
import { view } from '../run/session';
import { hasGates } from '../run/view';
import { placeOfRun } from '../snapshots/snapshots';
import { Icon } from './Icon';
import { Evidence } from './thread/ResultCard';

const ICONS = { pass: 'check', warn: 'warning', fail: 'cross', error: 'cross' } as const;
const TONES = { pass: 'good', warn: 'warn', fail: 'bad', error: 'bad' } as const;

/** What was asked with its evidence, then the checks of the last round in three groups. */
export function ChecksView() {
  const { gates, requirements, work, phase } = view.value;
  if (!hasGates(work)) return <p class="empty">The Specs tab has the verification and the reviews of specs. Checks run for tasks.</p>;
  if (!gates.length) return <p class="empty">{phase === 'check' ? 'Checking the project …' : 'Checks run when the agent claims to be done. No results yet.'}</p>;
  const others = gates.filter(({ notApplicable }) => notApplicable);
  return (
    <div class="checks-view" tabIndex={0} role="region" aria-label="Checks">
      {placeOfRun(view.value) === 'later' && <p class="empty">Another version is restored. These checks are of the last task.</p>}
      {requirements.length > 0 && (
        <table>
          <thead><tr><th scope="col">Requirement</th><th scope="col">Evidence</th><th scope="col">Verdict</th></tr></thead>
          <tbody>
            {requirements.map(({ id, marker, text, verdict, evidence }) => (
              <tr key={id} data-verdict={verdict}>
                <th scope="row"><span class="marker-kind">{marker}</span> {text}</th>
                <td>{evidence.length ? evidence.map((one) => <Evidence key={`${one.by} ${one.text}`} {...one} />) : <span class="muted">none</span>}</td>
                <td class={`tone-${VERDICTS[verdict].tone} verdict`}>{VERDICTS[verdict].text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {groupsOf(gates).map((group) => <GroupRow key={group.title} {...group} />)}
      {others.length > 0 && (
        <details class="check-group tone-neutral">
          <summary><Icon name="dot" /> {count(others.length, 'check').replace(/^1 check$/, '1 check does').replace(/checks$/, 'checks do')} not apply</summary>
          <ul>{others.map((report) => <CheckRow key={report.gate} report={report} />)}</ul>
        </details>
      )}
    </div>
  );
}

function GroupRow({ title, reports }: Group) {
  if (!reports.length) return null;
  const open = reports.filter(({ verdict }) => verdict !== 'pass').length;
  const tone = reports.some(({ verdict }) => verdict === 'fail' || verdict === 'error') ? 'bad' : open ? 'warn' : 'good';
  return (
    <details class={`check-group tone-${tone}`} open={tone === 'bad'}>
      <summary><Icon name={tone === 'good' ? 'check' : 'warning'} /> {title}? <span class="muted">{open ? `${open} of ${count(reports.length, 'check')} to look at` : `${count(reports.length, 'check')} passed`}</span></summary>
      <ul>{reports.toSorted((a, b) => Number(a.verdict === 'pass') - Number(b.verdict === 'pass')).map((report) => <CheckRow key={report.gate} report={report} />)}</ul>
    </details>
  );
}

function CheckRow({ report }: { report: GateReport }) {
  const { gate, verdict, feedback, notApplicable } = report;
  const text = phraseOf({ type: 'gate-checked', report: { ...report, notApplicable: false } });
  return (
    <li class={`gate tone-${notApplicable ? 'neutral' : TONES[verdict]}`} data-gate={gate} data-verdict={verdict} data-not-applicable={notApplicable}>
      <Icon name={notApplicable ? 'dot' : ICONS[verdict]} />
      <span>{notApplicable ? '' : text.replace(/^Check \w+: /, '')} <code class="muted">{gate}</code></span>
      {feedback && <p class="gate-feedback">{feedback.replace(/^not applicable: /, '')}</p>}
    </li>
  );
}
