import { effect, signal } from '@preact/signals';
import { Icon } from './Icon';

/** The system's color scheme, until the user chooses one. */
const system = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(system.matches);
const chosen = signal<'light' | 'dark' | null>(null);

system.addEventListener('change', () => (systemIsDark.value = system.matches));
effect(() => {
  if (chosen.value) document.documentElement.dataset.theme = chosen.value;
});

export function ThemeToggle() {
  const dark = chosen.value ? chosen.value === 'dark' : systemIsDark.value;
  return (
    <button type="button" class="quiet icon-only" aria-label={dark ? 'Use the light colors' : 'Use the dark colors'} onClick={() => (chosen.value = dark ? 'light' : 'dark')}>
      <Icon name={dark ? 'sun' : 'moon'} />
    </button>
  );
}
