import type { StructuredTask } from 'loopgate';
import { count } from '../../run/describe';
import type { Requirement } from '../../task/draft';

export function StructuredTaskView({ task: { requirements, scope } }: { task: StructuredTask }) {
  const { preserve, affectedFiles } = scope;
  return (
    <ul class="structured-task">
      {requirements.map((requirement, index) => (
        <li key={index} class={`task-line marker-${requirement.marker.toLowerCase()}`} data-marker={requirement.marker}>
          <span class="marker-kind">{requirement.marker}</span>
          <span>{requirement.description}{numbers(requirement) && <span class="muted"> ({numbers(requirement)})</span>}</span>
        </li>
      ))}
      {preserve.map((text, index) => <li key={`preserve ${index}`} class="task-line" data-marker="PRESERVE"><span class="marker-kind">PRESERVE</span><span>{text}</span></li>)}
      {affectedFiles.length > 0 && <li class="task-line" data-marker="FILES"><span class="marker-kind">FILES</span><span>{affectedFiles.join(', ')}</span></li>}
    </ul>
  );
}

/** `2 new, 8 stay`. */
function numbers({ count: added, existing, marker }: Requirement): string {
  const parts = [added !== undefined && (marker === 'ADD' ? `${added} new` : count(added, 'item')), existing !== undefined && `${existing} stay`];
  return parts.filter(Boolean).join(', ');
}
