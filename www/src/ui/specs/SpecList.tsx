import type { Tone } from '../../run/entry';
import type { CurrentSpec } from '../../specs/progress';
import type { SpecRow, SpecState } from '../../specs/rows';
import { selected } from '../../specs/specs';
import { Icon, type IconName } from '../Icon';

interface SpecListProps {
  rows: SpecRow[];
  /** The path of the spec whose details are shown. */
  shown: string;
  current: CurrentSpec | null;
}

export function SpecList({ rows, shown, current }: SpecListProps) {
  return (
    <nav class="spec-list" aria-label="Specs">
      <ul>
        {rows.map(({ path, id, title, state }) => {
          const { tone, icon, text } = current?.path === path ? working(current) : describeState(state);
          return (
            <li key={path}>
              <button type="button" class={`quiet spec tone-${tone}`} data-spec={path} data-state={state.kind} aria-current={path === shown ? 'true' : undefined} onClick={() => (selected.value = path)}>
                <Icon name={icon} />
                <span class="spec-title">{title}</span>
                <span class="spec-id muted">{id}</span>
                <span class="spec-state">{text}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const ROLES: Record<string, string> = { planner: 'planning', builder: 'implementing', verifier: 'verifying' };

/** What a role does. */
export const roleWords = (role: string): string => ROLES[role] ?? role;

interface Shown {
  tone: Tone;
  icon: IconName;
  text: string;
}

const working = ({ role, attempt }: CurrentSpec): Shown => ({ tone: 'active', icon: 'play', text: `${capital(roleWords(role))} (plan ${attempt})` });

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function describeState(state: SpecState): Shown {
  switch (state.kind) {
    case 'invalid':
      return { tone: 'neutral', icon: 'dot', text: `Not a spec. ${state.reason}` };
    case 'new':
      return { tone: 'neutral', icon: 'circle', text: 'Not started' };
    case 'planning':
      return state.reason ? { tone: 'warn', icon: 'warning', text: `Plan ${state.attempt - 1} is wrong` } : { tone: 'neutral', icon: 'circle', text: `Plan ${state.attempt} is not finished` };
    case 'planned': {
      const plan = state.attempt === undefined ? 'Planned by hand' : `Planned (plan ${state.attempt})`;
      return state.feedback ? { tone: 'warn', icon: 'warning', text: `${plan}, must be fixed` } : { tone: 'active', icon: 'circle', text: plan };
    }
    case 'candidate':
      return { tone: 'active', icon: 'dot', text: `Candidate, not verified (plan ${state.attempt})` };
    case 'done':
      return { tone: 'good', icon: 'check', text: 'Done' };
  }
}
