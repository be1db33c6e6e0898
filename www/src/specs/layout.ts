/** The places of the chunks in the graph. Loaded on demand, because of its library. */
import { graphlib, layout } from '@dagrejs/dagre';

export interface Place {
  left: number;
  top: number;
}

export interface GraphLayout {
  width: number;
  height: number;
  places: ReadonlyMap<string, Place>;
  /** Each with the path of its line. */
  edges: ReadonlyArray<{ from: string; to: string; path: string }>;
}

export const NODE = { width: 148, height: 58 };

export function layoutOf(nodes: ReadonlyArray<{ id: string; dependencies: readonly string[] }>): GraphLayout {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 30, marginx: 4, marginy: 4 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { ...NODE });
  for (const { id, dependencies } of nodes) for (const dependency of dependencies) graph.setEdge(dependency, id);
  layout(graph);
  const places = nodes.map(({ id }) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return [id, { left: x - NODE.width / 2, top: y - NODE.height / 2 }] as const;
  });
  const edges = graph.edges().map(({ v, w }) => ({ from: v, to: w, path: curve((graph.edge(v, w) as { points: Point[] }).points) }));
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width, height, places: new Map(places), edges };
}

interface Point {
  x: number;
  y: number;
}

/** A smooth line through the points, which run from left to right. */
function curve([first, ...rest]: Point[]): string {
  if (!first) return '';
  let before = first;
  const parts = rest.map((point) => {
    const middle = (before.x + point.x) / 2;
    const part = `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    before = point;
    return part;
  });
  return `M${first.x} ${first.y}${parts.join('')}`;
}
