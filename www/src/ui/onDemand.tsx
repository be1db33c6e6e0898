import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

/** A view whose code is loaded when it is shown first. */
export function onDemand(load: () => Promise<ComponentType>): ComponentType {
  const loaded = signal<{ View: ComponentType } | { problem: string } | null>(null);
  return function OnDemand() {
    useEffect(() => {
      if (loaded.peek() === null) load().then((View) => (loaded.value = { View }), () => (loaded.value = { problem: 'This view could not be loaded. Reload the page.' }));
    }, []);
    if (!loaded.value) return null;
    return 'View' in loaded.value ? <loaded.value.View /> : <p class="empty" role="alert">{loaded.value.problem}</p>;
  };
}
