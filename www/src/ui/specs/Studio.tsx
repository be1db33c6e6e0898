import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { blockOf, isScripted, missingSetting } from '../../model/choice';
import { story } from '../../model/story/stories';
import { askOutline, askQuestions, plainOutline, storyFor } from '../../specs/ask';
import { calls, callFor, cancelCall } from '../../specs/calls';
import { ledTo, requirementsIn, specText, STAGES, titleOf, type Draft, type Outline, type Stage } from '../../specs/draft';
import { changeDraft, discardDraft, isLocked, nameOf, renameDraft, runInOneGo, split, writeDrafts, type Spec } from '../../specs/specs';
import { drafts, shownSpec } from '../../store';
import { announce } from '../announce';
import { Dialog } from '../Dialog';
import { ModelSettingsButton } from '../model/ModelButton';
import { EditableMarkdown } from './Markdown';
import { Steps } from './Steps';

const NAMES: Record<Stage, string> = { idea: 'Idea', questions: 'Questions', review: 'Review', steps: 'Steps' };

export interface StudioProps {
  spec: Spec;
  draft: Draft;
}

/** Writes a spec, from the idea to the steps. */
export function Studio({ spec, draft }: StudioProps) {
  const at = STAGES.indexOf(draft.stage);
  const stages = draft.kind === 'go' ? STAGES.slice(0, 3) : STAGES;
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  // The button that led here is gone.
  useEffect(() => {
    if (!first.current) heading.current?.focus();
    first.current = false;
  }, [draft.stage]);
  const go = (stage: Stage) => {
    cancelCall(spec.id);
    changeDraft(spec.id, { stage });
  };
  return (
    <div class="studio">
      <header class="studio-head">
        <h3 id="spec-heading" ref={heading} tabIndex={-1}>{draft.title || 'New spec'} <span class="visually-hidden">, {NAMES[draft.stage]}</span></h3>
        <ol class="studio-stages" aria-label="Parts of the spec">
          {stages.map((stage, index) => (
            <li key={stage} class={index < at ? 'passed' : ''} aria-current={index === at ? 'step' : undefined}>
              <button type="button" class="quiet small" disabled={index >= at || spec.waits !== undefined || spec.steps.length > 0 || isLocked()} onClick={() => go(stage)}><span class="studio-dot" aria-hidden="true" />{NAMES[stage]}</button>
            </li>
          ))}
        </ol>
      </header>
      {draft.stage === 'idea' && <Idea spec={spec} draft={draft} />}
      {draft.stage === 'questions' && <Questions spec={spec} draft={draft} />}
      {draft.stage === 'review' && <Review spec={spec} draft={draft} />}
      {draft.stage === 'steps' && <Steps spec={spec} draft={draft} />}
    </div>
  );
}

/** The actions of a stage, at the bottom of the view. */
export const Footer = ({ children }: { children: ComponentChildren }) => {
  // The second click of a double click would be one on the next stage.
  const onClickCapture = (event: MouseEvent) => event.detail > 1 && event.stopPropagation();
  return <div class="studio-footer" onClickCapture={onClickCapture}>{children}</div>;
};

/** The draft is stored after each change, so this only leaves it. */
export function SaveDraft() {
  const save = () => {
    shownSpec.value = null;
    void writeDrafts().then(() => announce('The draft is saved'));
  };
  return <button type="button" class="quiet" onClick={save}>Save draft</button>;
}

const EXAMPLES = ['Add a dark mode that follows the system and can be switched', 'Let visitors search the menu by name and price', 'A contact form that checks its fields and says what is wrong'];

function Idea({ spec: { id }, draft }: StudioProps) {
  const set = (change: Partial<Draft>) => changeDraft(id, change);
  const studio = isScripted.value ? story.value.studio : undefined;
  const idea = draft.idea.trim();
  const isStory = !isScripted.value || storyFor(idea) !== null;
  const missing = missingSetting.value;
  const isRenaming = useSignal(false);
  const next = async (alone: boolean) => {
    if (isRenaming.peek()) return;
    isRenaming.value = true;
    const title = draft.title || storyFor(idea)?.title || titleOf(idea);
    const plain = specText(title, plainOutline(idea));
    const name = await renameDraft(id, nameOf(id, { ...draft, title })).finally(() => (isRenaming.value = false));
    changeDraft(name, { title, ...(!alone ? { stage: 'questions' } : { stage: 'review', ...(!draft.text && { text: plain, written: plain }) }) });
    if (!alone && !draft.questions) void ask(name);
  };
  const examples = [...(studio ? [studio.idea] : []), ...EXAMPLES].slice(0, 3);
  return (
    <>
      <div class="studio-body" inert={isRenaming.value}>
        <label class="studio-field">What do you want to build?<textarea rows={4} value={draft.idea} onInput={(event) => set({ idea: event.currentTarget.value })} /></label>
        <div class="studio-examples" role="group" aria-label="Examples">
          {examples.map((example) => <button key={example} type="button" class="chip" onClick={() => set({ idea: example })}>{example}</button>)}
        </div>
        <fieldset class="studio-kinds">
          <legend>How</legend>
          <Kind draft={draft} set={set} kind="steps" name="In steps" about="Each step is built, checked, reviewed and committed on its own. You approve the steps first." />
          <Kind draft={draft} set={set} kind="go" name="One go" about="One agent plans it, one builds it, and one verifies the result." />
        </fieldset>
        <details>
          <summary>Details</summary>
          <label class="studio-field">File name<input type="text" value={draft.name} placeholder={idea ? nameOf(id, { ...draft, name: '' }) : 'from the title'} spellcheck={false} autocomplete="off" onInput={(event) => set({ name: event.currentTarget.value })} /></label>
          {idea && <p class="muted"><code>{draft.kind === 'go' ? `specs/${nameOf(id, draft)}.md` : `.handoff/specs/${nameOf(id, draft)}/spec.md`}</code></p>}
        </details>
        {idea && !isStory && (
          <p class="spec-note tone-warn">The demo script is no AI{studio ? ' and knows only the first example' : ''}. Connect a model that reads your idea, or write the spec yourself. <ModelSettingsButton /></p>
        )}
        {missing && <p class="spec-note tone-warn">{missing} <ModelSettingsButton /></p>}
      </div>
      <Footer>
        <Discard id={id} draft={draft} />
        <span class="studio-space" />
        {(!isStory || missing) ? <button type="button" class="primary" disabled={!idea} onClick={() => void next(true)}>Write it yourself</button>
          : <button type="button" class="primary" disabled={!idea} onClick={() => void next(false)}>Continue</button>}
      </Footer>
    </>
  );
}

function Kind({ draft, set, kind, name, about }: { draft: Draft; set(change: Partial<Draft>): void; kind: Draft['kind']; name: string; about: string }) {
  return <label class="studio-kind"><input type="radio" name="kind" checked={draft.kind === kind} onChange={() => set({ kind })} /><span><strong>{name}</strong> <span class="muted">{about}</span></span></label>;
}

function Discard({ id, draft }: { id: string; draft: Draft }) {
  const asking = useSignal(false);
  const discard = () => {
    shownSpec.value = null;
    void discardDraft(id).then(() => announce('The draft is gone'));
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => (draft.idea ? (asking.value = true) : discard())}>Discard</button>
      {asking.value && <Dialog title="Discard the draft?" confirm="Discard" isDanger onConfirm={discard} onClose={() => (asking.value = false)}><p>The idea and your answers are deleted.</p></Dialog>}
    </>
  );
}

/** Only a click asks: another tab, or a reload, shows the same draft. */
const ask = (id: string) => callFor(id, 'The model reads your idea', async (signal) => {
  const draft = drafts.peek().get(id)!;
  const { title, questions } = await askQuestions(draft, signal);
  signal.throwIfAborted();
  changeDraft(id, { questions, answers: questions.map(() => ''), ...(title && !draft.name && { title }) });
});

/** An answer that is being written. */
const OTHER = ' ';

function Questions({ spec: { id }, draft }: StudioProps) {
  const call = calls.value.get(id);
  const { problem } = call ?? {};
  const busy = call && problem === undefined ? call.what : null;
  const { questions, answers } = draft;
  const set = (change: Partial<Draft>) => changeDraft(id, change);
  const canAsk = (!isScripted.value || storyFor(draft.idea) !== null) && missingSetting.value === null;
  const asking = useSignal(false);
  const review = (outline: Outline) => {
    const text = specText(drafts.peek().get(id)?.title ?? draft.title, outline);
    set({ stage: 'review', text, written: text, sources: outline.requirements.map(({ answers }) => answers) });
  };
  const write = (answers: string[]) => callFor(id, 'The model writes the spec', async (signal) => {
    const said = answers.map((answer) => answer.trim());
    const outline = await askOutline({ ...draft, answers: said }, signal);
    signal.throwIfAborted();
    set({ answers: said });
    review(outline);
  });
  const choose = (at: number, answer: string) => set({ answers: answers.map((before, index) => (index === at ? answer : before)) });
  const body = useRef<HTMLDivElement>(null);
  const focusOther = (at: number) => requestAnimationFrame(() => body.current?.querySelectorAll('.studio-question')[at]?.querySelector<HTMLElement>('input[type=text]')?.focus());
  const proceed = () => {
    const blank = answers.findIndex((answer) => answer !== '' && !answer.trim());
    if (blank >= 0) focusOther(blank);
    else if (draft.text && draft.text !== draft.written) asking.value = true;
    else void write(answers);
  };
  return (
    <>
      <div class="studio-body" ref={body}>
        {busy && <p role="status"><span class="spinner" aria-hidden="true" /> {busy} … <button type="button" class="small quiet" onClick={() => cancelCall(id)}>Cancel</button></p>}
        {problem && <p class="spec-note tone-bad" role="alert">{problem} <button type="button" class="small" onClick={() => void (questions ? write(answers) : ask(id))}>Try again</button> <ModelSettingsButton /></p>}
        {questions?.length === 0 && <p>Nothing is unclear. Continue to the spec.</p>}
        {!questions && !busy && !problem && <p class="muted">{canAsk ? <button type="button" class="small" onClick={() => void ask(id)}>Ask the questions</button> : 'Without a model, there are no questions.'}</p>}
        {questions?.map(({ text, options }, at) => {
          const answer = answers[at] ?? '';
          const isOther = answer !== '' && !options.includes(answer);
          const name = `answer-${at}`;
          return (
            <fieldset key={text} class="studio-question" disabled={busy !== null}>
              <legend><span class="muted">{at + 1} of {questions.length}</span> {text}</legend>
              {options.map((option) => <label key={option}><input type="radio" name={name} checked={answer === option} onChange={() => choose(at, option)} />{option}</label>)}
              <div class="studio-other">
                <label><input type="radio" name={name} checked={isOther} onChange={() => { choose(at, OTHER); focusOther(at); }} />Other …</label>
                {isOther && <input type="text" aria-label={`Your answer to: ${text}`} value={answer.trimStart()} placeholder="Write your answer" required onInput={(event) => choose(at, event.currentTarget.value || OTHER)} />}
              </div>
              <label><input type="radio" name={name} checked={answer === ''} onChange={() => choose(at, '')} />Decide for me</label>
            </fieldset>
          );
        })}
      </div>
      <Footer>
        <button type="button" class="quiet" disabled={busy !== null} onClick={() => set({ stage: 'idea' })}>Back</button>
        <SaveDraft />
        <span class="studio-space" />
        {draft.text ? (
          <>
            <button type="button" disabled={busy !== null || !questions || !canAsk} onClick={proceed}>Write the spec again</button>
            <button type="button" class="primary" disabled={busy !== null} onClick={() => set({ stage: 'review' })}>Keep the text</button>
          </>
        ) : (
          <>
            {!canAsk || problem
              ? <button type="button" disabled={busy !== null} onClick={() => review(plainOutline(draft.idea))}>Write it yourself</button>
              : <button type="button" disabled={busy !== null} onClick={() => void write(answers.map(() => ''))}>Skip all</button>}
            <button type="button" class="primary" disabled={busy !== null || !questions || !canAsk} onClick={proceed}>Continue</button>
          </>
        )}
      </Footer>
      {asking.value && <Dialog title="Write the spec again?" confirm="Write it again" isDanger onConfirm={() => { asking.value = false; void write(answers); }} onClose={() => (asking.value = false)}><p>Your edits of the text are lost.</p></Dialog>}
    </>
  );
}

function Review({ spec, draft }: StudioProps) {
  const { id } = spec;
  const { text, questions, answers, sources, kind } = draft;
  const set = (change: Partial<Draft>) => changeDraft(id, change);
  const requirements = requirementsIn(text);
  const locked = isLocked();
  const missing = blockOf(kind === 'go' ? { kind: 'spec', path: `specs/${nameOf(id, draft)}.md` } : { kind: 'chunks', spec: id });
  const hasTitle = /^#[ \t]+\S/m.test(text);
  return (
    <>
      <div class="studio-body studio-review">
        <EditableMarkdown text={text} locked={spec.waits !== undefined} onInput={(next) => set({ text: next, title: /^#[ \t]+(\S.*?)\s*$/m.exec(next)?.[1] ?? draft.title })} />
        <aside class="studio-sources" aria-label="What your answers led to">
          <h4>{questions?.length ? 'Your answers' : 'Requirements'}</h4>
          {questions?.map((question, at) => (
            <p key={question.text}><span class="muted">{question.text}</span><br />{answers[at]?.trim() || 'Decided for you'} {ledTo(sources, at + 1).map((requirement) => <span key={requirement} class="tag">{requirement}</span>)}</p>
          ))}
          <p class="muted">{requirements.length ? `${requirements.length === 1 ? '1 requirement' : `${requirements.length} requirements`}: ${requirements.map(({ id }) => id).join(', ')}. Steps name them, and the result has one line for each.` : 'Write requirements as “- R1: …”. The result then has one line for each.'}</p>
        </aside>
        {!hasTitle && <p class="spec-note tone-bad" role="alert">The spec needs a heading (# Title).</p>}
        {missing && <p class="spec-note tone-warn">{missing} <ModelSettingsButton /></p>}
      </div>
      <Footer>
        {draft.idea && <button type="button" class="quiet" onClick={() => set({ stage: questions ? 'questions' : 'idea' })}>Back</button>}
        {drafts.value.has(id) && <SaveDraft />}
        <span class="studio-space" />
        {kind === 'steps' && <button type="button" disabled={!hasTitle || locked} onClick={() => set({ stage: 'steps', steps: draft.steps ?? [], proposed: draft.proposed ?? [] })}>Write the steps yourself</button>}
        {kind === 'go'
          ? <button type="button" class="primary" disabled={!hasTitle || locked || missing !== null} onClick={() => void runInOneGo(id, draft)}>Save and run</button>
          : <button type="button" class="primary" disabled={!hasTitle || locked || missing !== null} onClick={() => void split(id, draft)}>Split into steps</button>}
      </Footer>
    </>
  );
}
