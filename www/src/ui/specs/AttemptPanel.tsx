import { signal, useSignal } from '@preact/signals';
import { parsePatch, type StructuredPatch } from 'diff';
import type { ChunkSummary, ListedAttempt, ReviewIssue, ReviewTier, VerificationResult } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import { readText, revision, tree } from '../../project/project';
import { filePaths } from '../../project/tree';
import { count } from '../../run/describe';
import type { Tone } from '../../run/entry';
import { openFileAt } from '../../store';
import { Icon, type IconName } from '../Icon';

const TABS = { prompt: 'Prompt', difference: 'Difference', verification: 'Verification', issues: 'Issues', summary: 'Summary' };
export type Tab = keyof typeof TABS;
const NAMES = Object.keys(TABS) as Tab[];

const shown = signal<Tab>('difference');
/** The place in the difference that an issue names. */
const marked = signal<{ file: string; line: number } | null>(null);

/** The tab of the attempt that is shown next. */
export const chooseTab = (tab: Tab): void => {
  [shown.value, marked.value] = [tab, null];
};

/** The record of an attempt. */
export function AttemptPanel({ attempt }: { attempt: ListedAttempt }) {
  const bar = useRef<HTMLDivElement>(null);
  const texts = useSignal<ReadonlyMap<string, string> | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void readRecord(attempt.folder).then((read) => isCurrent && (texts.value = read));
    return () => {
      isCurrent = false;
    };
  }, [attempt.folder, revision.value]);
  useEffect(() => () => (marked.value = null), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = NAMES.indexOf(shown.value);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: NAMES.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    chooseTab(NAMES[(next + NAMES.length) % NAMES.length]!);
    bar.current?.querySelector<HTMLElement>(`#attempt-tab-${shown.value}`)?.focus();
  };
  const issues = Object.values(attempt.reviews).flatMap((review) => review?.issues ?? []).length;
  return (
    <div class="attempt">
      <div class="tabs" role="tablist" aria-label={`Attempt ${attempt.number}`} ref={bar} onKeyDown={onKeyDown}>
        {NAMES.map((tab) => (
          <button key={tab} id={`attempt-tab-${tab}`} type="button" role="tab" aria-selected={shown.value === tab} aria-controls="attempt-panel" tabIndex={shown.value === tab ? 0 : -1} onClick={() => chooseTab(tab)}>
            {TABS[tab]}{tab === 'issues' && issues > 0 && <span class="tab-count tone-bad"> {issues}</span>}
          </button>
        ))}
      </div>
      <div id="attempt-panel" class="attempt-panel" role="tabpanel" aria-labelledby={`attempt-tab-${shown.value}`} tabIndex={0} data-attempt={attempt.number}>
        {texts.value ? <Content tab={shown.value} attempt={attempt} texts={texts.value} /> : <p class="muted">Reading …</p>}
      </div>
    </div>
  );
}

/** The texts of the record that a tab shows, by name. */
async function readRecord(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = filePaths(tree.peek()).flatMap((path) => (path.startsWith(`${folder}/`) ? /^(context.*\.md|feedback\.md|summary\.json|changes\.patch)$/.exec(path.slice(folder.length + 1))?.[1] ?? [] : []));
  return new Map(await Promise.all(names.map(async (name) => [name, (await readText(`${folder}/${name}`)) ?? ''] as const)));
}

function Content({ tab, attempt, texts }: { tab: Tab; attempt: ListedAttempt; texts: ReadonlyMap<string, string> }) {
  const patch = texts.get('changes.patch');
  switch (tab) {
    case 'prompt': {
      const prompts = [...texts].filter(([name]) => name.startsWith('context')).sort(([a], [b]) => a.localeCompare(b));
      return prompts.length ? <>{prompts.map(([name, text]) => <pre key={name}>{text}</pre>)}</> : <p class="muted">No prompt: this attempt is a review of what is committed.</p>;
    }
    case 'difference':
      return patch === undefined ? <p class="muted">{attempt.outcome === 'open' ? 'The agent is not done yet.' : 'The attempt has no changes of its own.'}</p> : <Difference patches={parsePatch(patch)} />;
    case 'verification':
      return <Verification results={attempt.verification} refusal={texts.get('feedback.md')} />;
    case 'issues':
      return <Issues attempt={attempt} patches={patch === undefined ? [] : parsePatch(patch)} />;
    case 'summary':
      return <Summary texts={texts} />;
  }
}

const nameOf = ({ oldFileName, newFileName }: StructuredPatch): string => (newFileName === '/dev/null' ? oldFileName : newFileName)?.replace(/^[ab]\//, '') ?? '';

const SIGNS: Record<string, { kind: string; spoken: string }> = { '+': { kind: 'added', spoken: 'added: ' }, '-': { kind: 'removed', spoken: 'removed: ' } };

function Difference({ patches }: { patches: StructuredPatch[] }) {
  const chosen = useSignal(0);
  const mark = useRef<HTMLElement>(null);
  const place = marked.value;
  const at = place ? Math.max(0, patches.findIndex((patch) => nameOf(patch) === place.file)) : Math.min(chosen.value, patches.length - 1);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'center' });
    mark.current?.focus({ preventScroll: true });
  }, [place]);
  const patch = patches[at];
  if (!patch) return <p class="muted">The attempt changed nothing.</p>;
  return (
    <div class="difference">
      <ul class="difference-files" aria-label="Changed files">
        {patches.map((patch, index) => {
          const lines = patch.hunks.flatMap(({ lines }) => lines);
          const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
          return (
            <li key={index}><button type="button" class="quiet small" aria-current={index === at ? 'true' : undefined} onClick={() => ([chosen.value, marked.value] = [index, null])}>
              <span>{nameOf(patch)}</span> <span class="muted">{patch.newFileName === '/dev/null' ? 'deleted' : `+${count('+')} −${count('-')}`}</span>
            </button></li>
          );
        })}
      </ul>
      <pre class="patch" role="region" aria-label={`Changes of ${nameOf(patch)}`} tabIndex={0}>
        {patch.hunks.map((hunk, index) => {
          let line = hunk.newStart - 1;
          return [
            index > 0 && <span key={`${index}`} class="patch-line hunk">⋯{'\n'}</span>,
            ...hunk.lines.map((text, number) => {
              const { kind = 'context', spoken } = SIGNS[text[0]!] ?? {};
              if (kind !== 'removed' && !text.startsWith('\\')) line++;
              const isMarked = place?.line === line && kind !== 'removed';
              return <span key={`${index}-${number}`} ref={isMarked ? mark : undefined} tabIndex={isMarked ? -1 : undefined} class={`patch-line ${kind} ${isMarked ? 'marked' : ''}`}><span class="patch-number" aria-hidden="true">{kind === 'removed' ? '' : line}</span>{spoken && <span class="visually-hidden">{spoken}</span>}{text}{'\n'}</span>;
            }),
          ];
        })}
        {!patch.hunks.length && <span class="muted">{patch.isBinary ? 'A binary file' : 'Renamed, no line differs'}</span>}
      </pre>
    </div>
  );
}

const OUTCOMES: Record<VerificationResult['outcome'], { tone: Tone; icon: IconName; text: string }> = {
  passed: { tone: 'good', icon: 'check', text: 'passed' },
  failed: { tone: 'bad', icon: 'cross', text: 'failed' },
  'timed-out': { tone: 'bad', icon: 'cross', text: 'took too long' },
  skipped: { tone: 'neutral', icon: 'dot', text: 'skipped' },
  error: { tone: 'warn', icon: 'warning', text: 'could not run' },
};

function Verification({ results, refusal }: { results: VerificationResult[]; refusal: string | undefined }) {
  if (!results.length && refusal) return <><p class="muted">The attempt was refused before its commands ran:</p><pre>{refusal}</pre></>;
  if (!results.length) return <p class="muted">Nothing is verified yet, or no command is configured.</p>;
  return (
    <ul class="verification">
      {results.map(({ step, command, outcome, required, durationMs, output, truncated }) => {
        const { tone, icon, text } = OUTCOMES[outcome];
        return (
          <li key={step} class={`tone-${tone}`} data-outcome={outcome}>
            <p><Icon name={icon} /> <strong>{step}</strong> <span class="step-outcome">{text}</span> <code>{command}</code> <span class="muted">{required ? 'required' : 'optional'}, {durationMs} ms</span></p>
            {output && <pre>{output}{truncated ? '\n(shortened)' : ''}</pre>}
          </li>
        );
      })}
    </ul>
  );
}

const TIERS: Record<ReviewTier, string> = { quick: 'Quick review', deep: 'Deep review', final: 'Final review' };
const SEVERITIES = { high: 'bad', medium: 'warn', low: 'neutral' } as const;

function Issues({ attempt, patches }: { attempt: ListedAttempt; patches: StructuredPatch[] }) {
  const reviews = (Object.keys(TIERS) as ReadonlyArray<ReviewTier>).flatMap((tier) => (attempt.reviews[tier] ? [{ tier, review: attempt.reviews[tier] }] : []));
  if (!reviews.length) return <p class="muted">Not reviewed.</p>;
  return (
    <>
      {reviews.map(({ tier, review: { decision, issues, summary } }) => (
        <section key={tier} class="review" aria-label={TIERS[tier]} data-decision={decision}>
          <h5><Icon name={decision === 'SHIP' ? 'check' : 'restore'} /> {TIERS[tier]}: {decision === 'SHIP' ? 'approved' : 'changes requested'}{summary.total > 0 && ` (${count(summary.total, 'issue')})`}</h5>
          <ul>{issues.map((issue, at) => <Issue key={at} issue={issue} patches={patches} />)}</ul>
        </section>
      ))}
    </>
  );
}

/** An issue opens the file as it is in this attempt, because it may be undone or changed since. */
function Issue({ issue: { file, lines, type, severity, description, suggestion, agentPrompt }, patches }: { issue: ReviewIssue; patches: StructuredPatch[] }) {
  const path = file.replace(/^\.\//, '');
  const place = lines ? `${path}:${lines[0]}${lines[1] === lines[0] ? '' : `-${lines[1]}`}` : path;
  const isChanged = patches.some((patch) => nameOf(patch) === path);
  const isKnown = isChanged || filePaths(tree.value).includes(path);
  const open = () => {
    if (isChanged) [shown.value, marked.value] = ['difference', { file: path, line: lines?.[0] ?? 1 }];
    else openFileAt(path, lines?.[0]);
  };
  return (
    <li class={`issue tone-${SEVERITIES[severity]}`}>
      <p><span class="pill">{severity}</span> {type.replaceAll('_', ' ')} {isKnown ? <button type="button" class="small quiet issue-place" onClick={open}><code>{place}</code></button> : path && <span class="muted"><code>{place}</code> is not a file of the project</span>}</p>
      <p>{description}</p>
      {suggestion && <p class="muted">Suggestion: {suggestion}</p>}
      {agentPrompt !== description && <p class="muted">For the next attempt: {agentPrompt}</p>}
    </li>
  );
}

const LISTS = { filesCreated: 'Files created', filesModified: 'Files modified', exportsAdded: 'Exports', testsAdded: 'Tests', verificationSteps: 'How to check' } as const;

function Summary({ texts }: { texts: ReadonlyMap<string, string> }) {
  const summary = summaryOf(texts.get('summary.json'));
  const feedback = texts.get('feedback.md');
  if (!summary) return feedback ? <><p class="muted">The attempt was refused. The next one gets this feedback:</p><pre>{feedback}</pre></> : <p class="muted">No summary yet.</p>;
  return (
    <>
      <p>{summary.summary}</p>
      <dl class="summary-lists">
        {(Object.keys(LISTS) as Array<keyof typeof LISTS>).filter((name) => summary[name]?.length).map((name) => <div key={name}><dt>{LISTS[name]}</dt><dd>{summary[name].join(', ')}</dd></div>)}
      </dl>
    </>
  );
}

function summaryOf(text: string | undefined): ChunkSummary | null {
  try {
    return JSON.parse(text ?? '') as ChunkSummary;
  } catch {
    return null;
  }
}
