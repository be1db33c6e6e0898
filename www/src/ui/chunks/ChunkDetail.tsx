import { progress, selected } from '../../chunks/chunks';
import { costOf, FINAL, type CurrentChunk } from '../../chunks/progress';
import type { ChunkSpec } from '../../chunks/spec';
import { Icon } from '../Icon';
import { AttemptPanel } from './AttemptPanel';
import { describeAttempt, describeChunk, describeCost } from './describe';

/** The chosen chunk, otherwise that of the run, otherwise the first one that is not shipped. */
export function shownChunk({ chunks, shipped }: ChunkSpec, current: CurrentChunk | null): string {
  const known = [selected.value?.chunk, current?.chunk].find((id) => id === FINAL || chunks?.some((chunk) => chunk.id === id));
  return known ?? chunks?.find(({ id }) => !shipped[id])?.id ?? FINAL;
}

interface ChunkDetailProps {
  spec: ChunkSpec;
  current: CurrentChunk | null;
  /** Runs only this chunk; null while nothing can run. */
  onRun: ((chunk: string) => void) | null;
}

/** A chunk with its attempts. */
export function ChunkDetail({ spec, current, onRun }: ChunkDetailProps) {
  const id = shownChunk(spec, current);
  const chunk = spec.chunks?.find((chunk) => chunk.id === id);
  const { tone, text } = describeChunk(spec, id, current);
  const isReady = !spec.shipped[id] && (chunk?.dependencies ?? []).every((dependency) => spec.shipped[dependency]);
  const attempts = spec.attempts(id);
  const chosen = selected.value?.chunk === id ? selected.value.attempt : 0;
  const attempt = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1);
  const cost = costOf(progress.value, spec.id, id);
  return (
    <section class="chunk-detail" aria-labelledby="chunk-heading">
      <header class="spec-head">
        <h3 id="chunk-heading">{chunk?.title ?? 'Final review'}</h3>
        <span class={`pill tone-${tone}`}>{text}</span>
        {chunk && isReady && <button type="button" class="small quiet" disabled={!onRun} onClick={() => onRun?.(id)}><Icon name="play" /> Run only this chunk</button>}
        {cost && <span class="muted chunk-cost" data-testid="chunk-cost">{describeCost(cost)}{cost.models.length > 0 && ` (${cost.models.join(', ')})`}</span>}
      </header>
      <p class="chunk-description">{chunk?.description ?? 'All chunks are reviewed together before the pull request.'}</p>
      {spec.failed[id] && current?.chunk !== id && <p class="spec-note tone-bad">{spec.failed[id].reason}</p>}
      {attempts.length === 0 ? (
        <p class="spec-none">No attempts yet.</p>
      ) : (
        <>
          <div class="attempts" role="group" aria-label="Attempts">
            {attempts.map((row) => {
              const { tone, icon, text } = describeAttempt(row, current);
              return (
                <button key={row.number} type="button" class={`chip tone-${tone}`} data-outcome={row.outcome} aria-pressed={row === attempt} onClick={() => (selected.value = { chunk: id, attempt: row.number })}>
                  <Icon name={icon} /> Attempt {row.number} <span class="muted">{text}</span>
                </button>
              );
            })}
          </div>
          {attempt && <AttemptPanel key={attempt.folder} attempt={attempt} current={current?.folder === attempt.folder ? current : null} />}
        </>
      )}
    </section>
  );
}
