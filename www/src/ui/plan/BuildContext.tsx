import type { PlanContext } from '../../run/view';
import { Icon } from '../Icon';

/** The theme, and the example and file of each section, at the start of BUILD. */
export function BuildContext({ theme, sections }: PlanContext) {
  return (
    <div class="build-context">
      <p class={`build-theme tone-${theme.applied ? 'good' : 'warn'}`}>
        <Icon name={theme.applied ? 'check' : 'warning'} /> {theme.applied ? 'Theme applied' : 'No theme applied'}
      </p>
      {theme.command && <pre tabIndex={0}>{theme.command}</pre>}
      {theme.error ? <p class="problem">{theme.error}</p> : theme.output && <p class="muted">{theme.output}</p>}
      <ul>
        {sections.map(({ gumdrop, suggestedFile, found }, index) => (
          <li key={index} class={`build-section tone-${found ? 'good' : 'neutral'}`} data-gumdrop={gumdrop}>
            <Icon name={found ? 'check' : 'circle'} />
            <span><strong>{gumdrop}</strong> <span class="muted">{found ? 'example found' : 'no example'}, in</span> <code>{suggestedFile}</code></span>
          </li>
        ))}
      </ul>
    </div>
  );
}
