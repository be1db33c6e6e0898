/** Keeps the focus in the page: if its element goes away, what is next to it gets the focus. */
import { isChat } from '../store';

export const COMPOSER = 'task-text';
/** Shows the composer, which is not usable behind the stage of a phone, and focuses it. */
export function focusComposer(): void {
  const composer = document.getElementById(COMPOSER);
  isChat.value = true;
  if (composer?.closest('[inert]')) requestAnimationFrame(() => setTimeout(() => composer.focus()));
  else composer?.focus();
}

/** Where the focus was: the element and its ancestors. */
let place: HTMLElement[] = [];

export function keepFocus(root: HTMLElement): void {
  root.addEventListener('focusin', (event) => (place = event.composedPath().filter((at) => at instanceof HTMLElement)));
  // A click may leave the focus on purpose.
  root.addEventListener('pointerdown', () => (place = []), { capture: true });
  // After the effects of the components, which may move the focus themselves.
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(restore))).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'hidden', 'inert'] });
}

function restore(): void {
  const [last, ...around] = place;
  if (!last || document.activeElement !== document.body) return;
  if (isUsable(last)) return last.focus({ preventScroll: true });
  // A disabled control keeps its place: it gets the focus once it is usable again.
  if (last.isConnected && last.matches(':disabled')) return;
  for (const region of around.filter((region) => region.isConnected && region !== document.body)) {
    const stops = [...region.querySelectorAll<HTMLElement>(STOPS)].filter(isUsable);
    const next = stops.find((stop) => stop.matches('textarea, .composer button.danger')) ?? stops[0];
    if (next) return next.focus({ preventScroll: true });
  }
}

const STOPS = 'button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

const isUsable = (element: HTMLElement): boolean => element.isConnected && element.matches(`${STOPS}, [tabindex]`) && element.checkVisibility() && !element.closest('[inert]');
