import type { PlanContext } from '../../run/view';
import { Icon } from '../Icon';

/** The theme, and the recipe and file of each section, at the start of BUILD. */
export function BuildContext({ theme, sections, heading = false }: PlanContext & { heading?: boolean }) {
  return (
    <div class="build-context">
      {heading && <h3>Build context</h3>}
      <p class={`build-theme tone-${theme.applied ? 'good' : 'warn'}`}>
        <Icon name={theme.applied ? 'check' : 'warning'} /> {theme.applied ? 'Theme applied' : 'No theme applied'}
      </p>
      {theme.command && <pre tabIndex={0}>{theme.command}</pre>}
      {theme.error ? <p class="problem">{theme.error}</p> : theme.output && <p class="muted">{theme.output}</p>}
      <ul>
        {sections.map(({ gumdrop, suggestedFile, found }, index) => (
          <li key={index} class={`build-section tone-${found ? 'good' : 'neutral'}`} data-gumdrop={gumdrop}>
            <Icon name={found ? 'check' : 'circle'} />
            <span><strong>{gumdrop}</strong> <span class="muted">{found ? 'recipe found' : 'no recipe'}, in</span> <code>{suggestedFile}</code></span>
          </li>
        ))}
      </ul>
    </div>
  );
}
