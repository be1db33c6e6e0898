import type { PlanContext } from '../../run/view';
import { Icon } from '../Icon';

/** With what the harness opened BUILD: the theme it applied, and a recipe and a file for each section. */
export function BuildContext({ theme, sections, heading = false }: PlanContext & { heading?: boolean }) {
  return (
    <div class="build-context">
      {heading && <h3>What BUILD starts with</h3>}
      <p class={`build-theme tone-${theme.applied ? 'good' : 'warn'}`}>
        <Icon name={theme.applied ? 'check' : 'warning'} /> {theme.applied ? 'Theme applied' : 'No theme applied'}
      </p>
      {theme.command && <pre tabIndex={0}>{theme.command}</pre>}
      {theme.error ? <p class="problem">{theme.error}</p> : theme.output && <p class="muted">{theme.output}</p>}
      <ul>
        {sections.map(({ gumdrop, suggestedFile, found }, index) => (
          <li key={index} class={`build-section tone-${found ? 'good' : 'neutral'}`} data-gumdrop={gumdrop}>
            <Icon name={found ? 'check' : 'circle'} />
            <span><strong>{gumdrop}</strong> <span class="muted">{found ? 'with its recipe' : 'has no recipe'}, in</span> <code>{suggestedFile}</code></span>
          </li>
        ))}
      </ul>
    </div>
  );
}
