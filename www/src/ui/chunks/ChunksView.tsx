import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { draft } from '../../chunks/approval';
import { chooseSpec, discardProposal, ids, progress, readChunkFiles, spec } from '../../chunks/chunks';
import { costOfSpec, FINAL, type CurrentChunk } from '../../chunks/progress';
import { configProblem } from '../../chunks/settings';
import type { ChunkSpec } from '../../chunks/spec';
import { missingSetting } from '../../model/choice';
import { revision } from '../../project/project';
import { isRunning, otherTab, runChunks, stop, view } from '../../run/session';
import { unfinished } from '../../run/unfinished';
import { startup } from '../../start';
import { Icon } from '../Icon';
import { ModelSettingsButton } from '../model/ModelButton';
import { BranchBar } from '../BranchBar';
import { ChunkDetail } from './ChunkDetail';
import { ChunkGraph } from './ChunkGraph';
import { describeCost, stepWords } from './describe';
import { Proposal } from './Proposal';
import { PullRequest } from './PullRequest';
import { Settings } from './Settings';
import { SpecText } from './SpecText';

/** The spec, its chunks, their attempts, and the settings of their runs. */
export function ChunksView() {
  useEffect(() => void readChunkFiles(), [revision.value]);
  if (!ids.value) return <p class="empty">Reading the chunks …</p>;
  return spec.value ? <Spec spec={spec.value} /> : <NoSpec />;
}

function Spec({ spec }: { spec: ChunkSpec }) {
  const { id, title, text, chunks, problem, shipped } = spec;
  const editing = useSignal(false);
  const current = isRunning.value && progress.value.current?.spec === id ? progress.value.current : null;
  const ready = 'ready' in startup.value && !isRunning.value;
  const missing = missingSetting.value ?? configProblem.value ?? problem;
  const cards = draft.value;
  const done = chunks?.filter((chunk) => shipped[chunk.id]).length ?? 0;
  const failure = !isRunning.value && view.value.work?.kind === 'chunks' ? view.value.failure?.message : null;
  const cost = costOfSpec(progress.value, id);
  const run = async (only?: string[]) => {
    unfinished.value = null;
    // The planner proposes again.
    if (cards) await discardProposal(id);
    await runChunks(id, only);
  };
  return (
    <div class="chunks-view">
      <div class="code-path chunks-bar">
        <SpecChoice id={id} title={title} locked={isRunning.value} />
        <p data-testid="chunks-state">
          {current ? <Working current={current} spec={spec} /> : chunks && `${done} of ${chunks.length} shipped`}
          {cost && <span class="muted"> {describeCost(cost)}</span>}
        </p>
        {isRunning.value ? (
          <button type="button" class="small danger" disabled={view.value.status === 'stopping' || otherTab.value !== null} onClick={stop}><Icon name="stop" /> Stop</button>
        ) : chunks ? (
          <>
            {!cards && <button type="button" class="small quiet" disabled={!ready} onClick={() => (draft.value = chunks)}>Edit chunks</button>}
            <button type="button" class="small primary" disabled={!ready || missing !== null || cards !== null} onClick={() => void run()}><Icon name="play" /> Run</button>
          </>
        ) : (
          <button type="button" class="small primary" disabled={!ready || missing !== null || !text.trim() || editing.value} onClick={() => void run()}><Icon name="play" /> {cards ? 'Propose again' : 'Propose chunks'}</button>
        )}
      </div>
      <div class="chunks-scroll" tabIndex={0} role="region" aria-label={`Spec ${title}`}>
        {missing && <p class="spec-note tone-bad chunks-problem" role="alert">{missing} {missingSetting.value && <ModelSettingsButton />}</p>}
        {failure && failure !== missing && <p class="spec-note tone-warn chunks-problem">{failure}</p>}
        <SpecText key={id} spec={spec} open={!chunks && !cards} editing={editing} locked={isRunning.value} />
        <Settings locked={isRunning.value} />
        {cards && current?.step !== 'planning' && <Proposal spec={spec} chunks={cards} />}
        {!cards && !chunks && !problem && <NoChunks current={current} />}
        {!cards && chunks && !problem && chunks.length > 0 && (
          <>
            <ChunkGraph spec={spec} current={current} />
            <ChunkDetail spec={spec} current={current} onRun={ready && missing === null ? (chunk) => void run([chunk]) : null} />
          </>
        )}
        <BranchBar specs={ids.value!} />
        <PullRequest spec={spec} />
      </div>
    </div>
  );
}

function SpecChoice({ id, title, locked }: { id: string; title: string; locked: boolean }) {
  if (ids.value!.length === 1) return <strong class="chunks-title">{title}</strong>;
  return (
    <label class="inline-field">
      <span class="visually-hidden">Spec</span>
      <select value={id} disabled={locked} onChange={(event) => chooseSpec(event.currentTarget.value)}>
        {ids.value!.map((id) => <option key={id} value={id}>{id}</option>)}
      </select>
    </label>
  );
}

/** The progress of the run. */
function Working({ current, spec }: { current: CurrentChunk; spec: ChunkSpec }) {
  const { chunk, step, attempt } = current;
  const title = chunk === FINAL ? 'Final review' : spec.chunks?.find(({ id }) => id === chunk)?.title;
  return (
    <>
      {step !== 'approval' && <span class="spinner" aria-hidden="true" />} {title && <strong>{title}</strong>}{title && (attempt > 0 ? `, attempt ${attempt}: ` : ': ')}{stepWords(current, title !== undefined)}
      {otherTab.value ? ' (in another tab)' : view.value.status === 'stopping' ? ' (stopping)' : ''}
    </>
  );
}

function NoChunks({ current }: { current: CurrentChunk | null }) {
  return (
    <div class="empty">
      <p>{current ? 'The planner reads the spec and the project …' : 'No chunks yet. A planner divides the spec into chunks, which you edit and approve before anything runs.'}</p>
    </div>
  );
}

function NoSpec() {
  return (
    <div class="empty specs-empty">
      <p>No spec with chunks yet. Such a spec is a file <code>.handoff/specs/checkout/spec.md</code>. A planner divides it into chunks. Each chunk is implemented, verified, reviewed and committed on its own.</p>
      <p>Start the story “A spec in chunks” to see one.</p>
    </div>
  );
}
