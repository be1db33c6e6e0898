import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ChunkSummary, Review, ReviewIssue, ReviewTier, VerificationResult } from 'loopgate';
import type { CurrentChunk } from '../../chunks/progress';
import { json, patchLines, projectFile, readReview, readVerification, TIERS, type Attempt } from '../../chunks/spec';
import { openFile, readText, revision } from '../../project/project';
import { count } from '../../run/describe';
import type { Tone } from '../../run/entry';
import { Icon, type IconName } from '../Icon';
import { showTab } from '../Workspace';

type Tab = 'prompt' | 'difference' | 'verification' | 'issues' | 'summary';

const TABS: ReadonlyArray<{ tab: Tab; name: string }> = [
  { tab: 'prompt', name: 'Prompt' }, { tab: 'difference', name: 'Difference' }, { tab: 'verification', name: 'Verification' }, { tab: 'issues', name: 'Issues' }, { tab: 'summary', name: 'Summary' },
];
const shown = signal<Tab>('difference');

/** The record of an attempt. It is read from its files, so that it is there after a reload. */
export function AttemptPanel({ attempt, current }: { attempt: Attempt; current: CurrentChunk | null }) {
  const bar = useRef<HTMLDivElement>(null);
  const texts = useSignal<ReadonlyMap<string, string> | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void readRecord(attempt).then((read) => isCurrent && (texts.value = read));
    return () => {
      isCurrent = false;
    };
  }, [attempt.folder, revision.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = TABS.findIndex(({ tab }) => tab === shown.value);
    shown.value = TABS[(at + step + TABS.length) % TABS.length]!.tab;
    bar.current?.querySelector<HTMLElement>(`#attempt-tab-${shown.value}`)?.focus();
  };
  const issues = texts.value ? reviewsOf(texts.value).flatMap(({ review }) => review.issues).length : 0;
  return (
    <div class="attempt">
      <div class="tabs" role="tablist" aria-label={`Attempt ${attempt.number}`} ref={bar} onKeyDown={onKeyDown}>
        {TABS.map(({ tab, name }) => (
          <button key={tab} id={`attempt-tab-${tab}`} type="button" role="tab" aria-selected={shown.value === tab} aria-controls="attempt-panel" tabIndex={shown.value === tab ? 0 : -1} onClick={() => (shown.value = tab)}>
            {name}{tab === 'issues' && issues > 0 && <span class="tab-count"> {issues}</span>}
          </button>
        ))}
      </div>
      <div id="attempt-panel" class="attempt-panel" role="tabpanel" aria-labelledby={`attempt-tab-${shown.value}`} tabIndex={0} data-attempt={attempt.number}>
        {texts.value ? <Content tab={shown.value} texts={texts.value} current={current} /> : <p class="spec-none">Reading …</p>}
      </div>
    </div>
  );
}

/** The files of the record that a tab shows, by name. */
async function readRecord({ folder, files }: Attempt): Promise<ReadonlyMap<string, string>> {
  const names = files.filter((name) => /^(context.*|feedback)\.md$|^(verification|review-\w+|summary)\.json$|^changes\.patch$/.test(name));
  return new Map(await Promise.all(names.map(async (name) => [name, (await readText(`${folder}/${name}`)) ?? ''] as const)));
}

const reviewsOf = (texts: ReadonlyMap<string, string>): Array<{ tier: ReviewTier; review: Review }> =>
  TIERS.flatMap((tier) => {
    const review = readReview(texts.get(`review-${tier}.json`));
    return review ? [{ tier, review }] : [];
  });

function Content({ tab, texts, current }: { tab: Tab; texts: ReadonlyMap<string, string>; current: CurrentChunk | null }) {
  switch (tab) {
    case 'prompt': {
      const names = [...texts.keys()].filter((name) => name.startsWith('context')).sort();
      return names.length ? <>{names.map((name) => <pre key={name}>{texts.get(name)}</pre>)}</> : <p class="spec-none">{current ? 'The prompt is being written …' : 'No prompt: this attempt is a review of what is committed.'}</p>;
    }
    case 'difference':
      return texts.has('changes.patch') ? <Difference patch={texts.get('changes.patch')!} /> : <p class="spec-none">{current ? 'The executor is not done yet.' : 'The attempt has no changes of its own.'}</p>;
    case 'verification':
      return <Verification text={texts.get('verification.json')} live={current?.results ?? []} />;
    case 'issues':
      return <Issues texts={texts} />;
    case 'summary':
      return <Summary texts={texts} />;
  }
}

const SIGNS = { added: 'added: ', removed: 'removed: ' } as const;

function Difference({ patch }: { patch: string }) {
  return (
    <pre class="patch">
      {patchLines(patch).map(({ kind, text }, at) => (
        <span key={at} class={`patch-line ${kind}`}>{(kind === 'added' || kind === 'removed') && <span class="visually-hidden">{SIGNS[kind]}</span>}{text}{'\n'}</span>
      ))}
    </pre>
  );
}

const STEP_OUTCOMES: Record<VerificationResult['outcome'], { tone: Tone; icon: IconName; text: string }> = {
  passed: { tone: 'good', icon: 'check', text: 'passed' },
  failed: { tone: 'bad', icon: 'cross', text: 'failed' },
  'timed-out': { tone: 'bad', icon: 'cross', text: 'timed out' },
  skipped: { tone: 'neutral', icon: 'dot', text: 'skipped' },
  error: { tone: 'warn', icon: 'warning', text: 'could not run' },
};

function Verification({ text, live }: { text: string | undefined; live: VerificationResult[] }) {
  const record = readVerification(text);
  const results = record?.results ?? live;
  if (!results.length) return <p class="spec-none">{record ? 'No verification is configured.' : 'Not verified yet.'}</p>;
  return (
    <>
      <ul class="steps">
        {results.map(({ step, command, outcome, required, durationMs, output, truncated }) => {
          const { tone, icon, text } = STEP_OUTCOMES[outcome];
          return (
            <li key={step} class={`tone-${tone}`} data-outcome={outcome}>
              <p class="step-head"><Icon name={icon} /> <strong>{step}</strong> <span class="step-outcome">{text}</span> <code>{command}</code> <span class="muted">{required ? 'required' : 'optional'}, {durationMs} ms</span></p>
              {output && <pre>{output}{truncated ? '\n(shortened)' : ''}</pre>}
            </li>
          );
        })}
      </ul>
      {record && record.discarded.length > 0 && <p class="spec-note tone-warn">The steps changed files; the changes are discarded: {record.discarded.join(', ')}</p>}
    </>
  );
}

const TIER_NAMES = { quick: 'Quick', deep: 'Deep', final: 'Final' };
const SEVERITIES = { high: 'bad', medium: 'warn', low: 'neutral' } as const;

function Issues({ texts }: { texts: ReadonlyMap<string, string> }) {
  const reviews = reviewsOf(texts);
  if (!reviews.length) return <p class="spec-none">Not reviewed.</p>;
  return (
    <>
      {reviews.map(({ tier, review: { decision, issues, summary } }) => (
        <section key={tier} class="review" aria-label={`${TIER_NAMES[tier]} review`} data-decision={decision}>
          <h4><Icon name={decision === 'SHIP' ? 'check' : 'restore'} /> {TIER_NAMES[tier]} review: {decision}, {count(summary.total, 'issue')}</h4>
          <ul>{issues.map((issue, at) => <Issue key={at} issue={issue} />)}</ul>
        </section>
      ))}
      {reviews.some(({ review }) => review.issues.some(({ lines }) => lines)) && <p class="muted issues-note">The lines are those of this attempt. Later attempts may have changed them.</p>}
    </>
  );
}

function Issue({ issue: { file, lines, type, severity, description, suggestion, agentPrompt } }: { issue: ReviewIssue }) {
  const path = projectFile(file);
  const place = lines ? `${file}:${lines[0]}${lines[1] === lines[0] ? '' : `-${lines[1]}`}` : file;
  const open = () => {
    openFile(path!, lines);
    showTab('code');
  };
  return (
    <li class={`issue tone-${SEVERITIES[severity]}`}>
      <p class="issue-head">
        <span class="pill">{severity}</span> <span>{type.replaceAll('_', ' ')}</span>{' '}
        {path ? <button type="button" class="small quiet issue-place" onClick={open}><code>{place}</code></button> : file && <span class="muted"><code>{place}</code> is not a file of the project</span>}
      </p>
      <p>{description}</p>
      {suggestion && <p class="muted">Suggestion: {suggestion}</p>}
      {agentPrompt !== description && <p class="muted">For the next attempt: {agentPrompt}</p>}
    </li>
  );
}

function Summary({ texts }: { texts: ReadonlyMap<string, string> }) {
  const summary = json<ChunkSummary>(texts.get('summary.json'));
  if (!summary) {
    const feedback = texts.get('feedback.md');
    return feedback ? <><p class="spec-none">The attempt was rejected. The next one gets this feedback:</p><pre>{feedback}</pre></> : <p class="spec-none">No summary yet.</p>;
  }
  const lists = [['Files created', summary.filesCreated], ['Files modified', summary.filesModified], ['Exports', summary.exportsAdded], ['Tests', summary.testsAdded], ['How to check', summary.verificationSteps]] as const;
  return (
    <>
      <p>{summary.summary}</p>
      <dl class="summary-lists">
        {lists.filter(([, items]) => items?.length).map(([name, items]) => <div key={name}><dt>{name}</dt><dd>{items.join(', ')}</dd></div>)}
      </dl>
    </>
  );
}
