import type { StructuredTask } from 'loopgate';
import { count } from '../../run/describe';
import type { Requirement } from '../../task/draft';

/** The requirements of a task, and its scope. */
export function TaskLines({ task: { requirements, scope } }: { task: StructuredTask }) {
  const { preserve, affectedFiles } = scope;
  const lines = [
    ...requirements.map((requirement) => [requirement.marker, requirement.description, numbersOf(requirement)] as const),
    ...preserve.map((text) => ['PRESERVE', text, ''] as const),
    ...(affectedFiles.length ? [['FILES', affectedFiles.join(', '), ''] as const] : []),
  ];
  return (
    <ul class="task-lines">
      {lines.map(([marker, text, numbers], at) => (
        <li key={at} class={`task-line marker-${marker.toLowerCase()}`} data-marker={marker}>
          <span class="marker-kind">{marker}</span>
          <span>{text}{numbers && <span class="muted"> ({numbers})</span>}</span>
        </li>
      ))}
    </ul>
  );
}

/** `2 new, keep all 8`. */
function numbersOf({ count: added, existing, marker }: Requirement): string {
  const parts = [added !== undefined && (marker === 'ADD' ? `${added} new` : count(added, 'item')), existing !== undefined && `keep all ${existing}`];
  return parts.filter(Boolean).join(', ');
}
