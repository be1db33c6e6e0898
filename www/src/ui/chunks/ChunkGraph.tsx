import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { progress, selected } from '../../chunks/chunks';
import type { GraphLayout } from '../../chunks/layout';
import { costOf, FINAL, type CurrentChunk } from '../../chunks/progress';
import type { ChunkSpec } from '../../chunks/spec';
import { Icon } from '../Icon';
import { shownChunk } from './ChunkDetail';
import { describeChunk } from './describe';

/**
 * The chunks with their states, each a button, placed after the chunks that it depends on. The buttons are a list, in the order of the
 * file, which a screen reader reads with the dependencies in words. The lines between them are decoration.
 */
export function ChunkGraph({ spec, current }: { spec: ChunkSpec; current: CurrentChunk | null }) {
  const graph = useSignal<GraphLayout | null>(null);
  const chunks = spec.chunks ?? [];
  const needed = new Set(chunks.flatMap(({ dependencies = [] }) => dependencies));
  const nodes = [
    ...chunks.map(({ id, title, dependencies = [] }) => ({ id, title, dependencies })),
    { id: FINAL, title: 'Final review', dependencies: chunks.map(({ id }) => id).filter((id) => !needed.has(id)) },
  ];
  const shape = JSON.stringify(nodes.map(({ id, dependencies }) => [id, dependencies]));
  useEffect(() => {
    let isCurrent = true;
    void import('../../chunks/layout').then(({ layoutOf }) => isCurrent && (graph.value = layoutOf(nodes)));
    return () => {
      isCurrent = false;
    };
  }, [shape]);
  const { width, height, places, edges } = graph.value ?? { width: 0, height: 0, places: new Map(), edges: [] };
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  const shown = shownChunk(spec, current);
  const state = (id: string) => describeChunk(spec, id, current).state;
  return (
    <div class="chunk-graph-scroll">
      <div class={`chunk-graph ${graph.value ? 'placed' : ''}`} style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {edges.map(({ from, to, path }) => <path key={`${from} ${to}`} d={path} class={state(from) === 'shipped' ? 'edge met' : 'edge'} />)}
        </svg>
        <ol aria-label="Chunks and what they depend on">
          {nodes.map(({ id, title, dependencies }) => {
            const { state, tone, icon, text } = describeChunk(spec, id, current);
            const cost = costOf(progress.value, spec.id, id);
            return (
              <li key={id} style={places.get(id) && { left: `${places.get(id)!.left}px`, top: `${places.get(id)!.top}px` }}>
                <button type="button" class={`chunk-node tone-${tone}`} data-chunk={id} data-state={state} aria-current={id === shown ? 'true' : undefined} title={title} onClick={() => (selected.value = { chunk: id, attempt: 0 })}>
                  <span class="chunk-node-title">{title}</span>
                  <span class="chunk-node-state"><Icon name={icon} /> {text}</span>
                  <span class="visually-hidden">{dependencies.length ? `, after ${dependencies.map((id) => titles.get(id)).join(' and ')}` : ''}{cost ? `, ${cost.inputTokens + cost.outputTokens} tokens` : ''}</span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
