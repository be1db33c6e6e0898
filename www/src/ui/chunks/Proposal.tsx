import type { Chunk } from 'loopgate';
import { useRef } from 'preact/hooks';
import { answer, draft } from '../../chunks/approval';
import { discardProposal, saveChunks } from '../../chunks/chunks';
import { addChunk, changeChunk, moveChunk, pathsIn, removeChunk } from '../../chunks/edit';
import { problemOf, type ChunkSpec } from '../../chunks/spec';
import { missingSetting } from '../../model/choice';
import { isRunning, otherTab, runChunks } from '../../run/session';
import { resumeUnfinished, unfinished } from '../../run/unfinished';
import { announce } from '../announce';

/** The chunks as cards: those that a planner proposed, until the user decides, or those of the spec. */
export function Proposal({ spec, chunks }: { spec: ChunkSpec; chunks: Chunk[] }) {
  const list = useRef<HTMLOListElement>(null);
  const isProposal = spec.chunks === null;
  const problem = chunks.length ? problemOf(chunks) : 'There is no chunk';
  const isElsewhere = otherTab.value !== null;
  const set = (next: Chunk[]) => (draft.value = next);
  const focusTitle = (at: number) => requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('.card-title')[at]?.focus());
  const add = () => {
    set(addChunk(chunks));
    focusTitle(chunks.length);
  };
  const move = (at: number, step: -1 | 1) => {
    set(moveChunk(chunks, at, step));
    announce(`${chunks[at]!.title || chunks[at]!.id} is number ${at + step + 1}`);
    focusTitle(at + step);
  };
  const remove = (id: string, at: number) => {
    set(removeChunk(chunks, id));
    announce('Chunk removed');
    focusTitle(Math.max(0, at - 1));
  };
  return (
    <section class="chunks-section proposal" aria-labelledby="proposal-heading">
      <h3 id="proposal-heading">{isProposal ? 'Proposed chunks' : 'Chunks'} <span class="muted">{isProposal ? 'Nothing runs before you approve them.' : 'A shipped chunk that asks for something else runs again.'}</span></h3>
      <ol class="cards" ref={list}>
        {chunks.map((chunk, at) => (
          <li key={at}>
            <Card
              chunk={chunk}
              number={at + 1}
              others={chunks.filter((_, index) => index !== at)}
              isLast={at === chunks.length - 1}
              onChange={(change) => set(changeChunk(chunks, at, change))}
              onMove={(step) => move(at, step)}
              onRemove={() => remove(chunk.id, at)}
            />
          </li>
        ))}
      </ol>
      <div class="chunks-actions">
        <button type="button" class="small" onClick={add}>Add a chunk</button>
        <span class="problem" role="status">{problem}</span>
        {isProposal ? (
          <>
            <button type="button" class="small danger" disabled={isElsewhere} onClick={() => void reject(spec)}>Reject</button>
            <button type="button" class="small primary" disabled={problem !== null || isElsewhere || missingSetting.value !== null} onClick={() => void approve(spec, chunks)}>Approve and run</button>
          </>
        ) : (
          <>
            <button type="button" class="small quiet" onClick={() => (draft.value = null)}>Cancel</button>
            <button type="button" class="small primary" disabled={problem !== null} onClick={() => void saveChunks(spec.id, chunks)}>Save chunks</button>
          </>
        )}
      </div>
    </section>
  );
}

/** The unfinished run of this spec waits for the decision, after a reload. */
const isInterrupted = ({ id }: ChunkSpec): boolean => unfinished.peek()?.work.kind === 'chunks' && (unfinished.peek()!.work as { spec: string }).spec === id;

async function approve(spec: ChunkSpec, chunks: Chunk[]): Promise<void> {
  announce('Chunks approved');
  if (isRunning.peek() || isInterrupted(spec)) {
    if (!answer({ decision: 'allow', chunks })) void resumeUnfinished();
    draft.value = null;
    return;
  }
  await saveChunks(spec.id, chunks);
  await runChunks(spec.id);
}

async function reject(spec: ChunkSpec): Promise<void> {
  announce('Chunks rejected');
  if (isRunning.peek() || isInterrupted(spec)) {
    if (!answer({ decision: 'deny', reason: 'rejected by the user' })) await resumeUnfinished();
  }
  await discardProposal(spec.id);
}

interface CardProps {
  chunk: Chunk;
  number: number;
  others: Chunk[];
  isLast: boolean;
  onChange(change: Partial<Chunk>): void;
  onMove(step: -1 | 1): void;
  onRemove(): void;
}

function Card({ chunk, number, others, isLast, onChange, onMove, onRemove }: CardProps) {
  const { id, title, description, relevantFiles = [], dependencies = [], maxIterations } = chunk;
  const name = title || id;
  const depend = (other: string, on: boolean) => onChange({ dependencies: on ? [...dependencies, other] : dependencies.filter((id) => id !== other) });
  return (
    <fieldset class="card" data-chunk={id}>
      <legend class="visually-hidden">Chunk {number}: {name}</legend>
      <div class="card-head">
        <span class="card-number" aria-hidden="true">{number}</span>
        <input class="card-title" type="text" aria-label="Title" value={title} placeholder="Title" onInput={(event) => onChange({ title: event.currentTarget.value })} />
        <button type="button" class="small quiet" disabled={number === 1} aria-label={`Move ${name} up`} onClick={() => onMove(-1)}>↑</button>
        <button type="button" class="small quiet" disabled={isLast} aria-label={`Move ${name} down`} onClick={() => onMove(1)}>↓</button>
        <button type="button" class="small quiet" aria-label={`Remove ${name}`} onClick={onRemove}>Remove</button>
      </div>
      <label>Description<textarea rows={3} value={description} onInput={(event) => onChange({ description: event.currentTarget.value })} /></label>
      <div class="card-fields">
        <label>Id<input type="text" value={id} spellcheck={false} onChange={(event) => onChange({ id: event.currentTarget.value.trim() })} /></label>
        <label>Max attempts<input type="number" min={1} max={20} value={maxIterations ?? ''} placeholder="default" onInput={(event) => onChange({ maxIterations: event.currentTarget.valueAsNumber || undefined })} /></label>
        <label class="card-files">Relevant files<input type="text" value={relevantFiles.join(', ')} spellcheck={false} onChange={(event) => onChange({ relevantFiles: pathsIn(event.currentTarget.value) })} /></label>
      </div>
      {others.length > 0 && (
        <div class="card-dependencies" role="group" aria-label={`${name} depends on`}>
          <span class="muted" aria-hidden="true">Depends on</span>
          {others.map((other) => (
            <label key={other.id} class="check">
              <input type="checkbox" checked={dependencies.includes(other.id)} onChange={(event) => depend(other.id, event.currentTarget.checked)} />
              {other.title || other.id}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
