import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GraphLayout } from '../../specs/layout';
import { Icon } from '../Icon';
import type { Shown } from './words';

export interface GraphNode extends Shown {
  id: string;
  title: string;
  dependencies: readonly string[];
  state?: string;
}

/**
 * The steps with their states, each a button, placed after those that it depends on. The buttons are a list, in the order of the
 * file, which a screen reader reads with the dependencies in words. The lines between them are decoration.
 */
export function Graph({ nodes, current, onChoose }: { nodes: readonly GraphNode[]; current?: string; onChoose(id: string): void }) {
  const graph = useSignal<GraphLayout | null>(null);
  const asList = useSignal(false);
  const isPlaced = graph.value !== null && !asList.value;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = nodes.map(({ id, dependencies }) => ({ id, dependencies: dependencies.filter((other) => byId.has(other)) }));
  useEffect(() => {
    let isCurrent = true;
    void import('../../specs/layout').then(({ layoutOf }) => isCurrent && (graph.value = layoutOf(known)));
    return () => {
      isCurrent = false;
    };
  }, [JSON.stringify(known)]);
  const { width, height, places, edges } = graph.value ?? { width: 0, height: 0, places: new Map(), edges: [] };
  return (
    <>
      <div class="step-graph-scroll">
        <div class={`step-graph ${isPlaced ? 'placed' : ''}`} style={{ width: `${width}px`, height: `${height}px` }}>
          {isPlaced && <svg width={width} height={height} aria-hidden="true">
            {edges.map(({ from, to, path }) => <path key={`${from} ${to}`} d={path} class={byId.get(from)?.state === 'shipped' ? 'edge met' : 'edge'} />)}
          </svg>}
          <ol aria-label="Steps and what they come after">
            {nodes.map(({ id, title, dependencies, state, tone, icon, text }) => (
              <li key={id} style={isPlaced && places.get(id) && { left: `${places.get(id)!.left}px`, top: `${places.get(id)!.top}px` }}>
                <button type="button" class={`step-node tone-${tone}`} data-step={id} data-state={state} aria-current={id === current ? 'true' : undefined} title={title} onClick={() => onChoose(id)}>
                  <span class="step-node-title">{title}</span>
                  <span class="step-node-state"><Icon name={icon} /> {text}</span>
                  {dependencies.length > 0 && <span class="visually-hidden">, after {dependencies.map((other) => byId.get(other)?.title ?? other).join(' and ')}</span>}
                </button>
              </li>
            ))}
          </ol>
        </div>
      </div>
      <button type="button" class="small quiet step-graph-list" aria-pressed={asList.value} onClick={() => (asList.value = !asList.value)}>Show as a list</button>
    </>
  );
}
