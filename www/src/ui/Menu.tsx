import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface MenuProps {
  /** The accessible name of the button, if its content is an icon. */
  name?: string;
  button: ComponentChildren;
  kind?: string;
  children: ComponentChildren;
}

/** A button that opens a list of actions below it, or above it near the bottom of the window. A click outside, Escape and a choice close it. */
export function Menu({ name, button, kind = '', children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const place = () => {
    const { top, bottom, left } = opener.current!.getBoundingClientRect();
    const side = bottom < innerHeight * 0.6 ? `top: ${bottom + 4}px` : `bottom: ${innerHeight - top + 4}px`;
    list.current!.style.cssText = `${side}; left: ${Math.min(left, innerWidth - 232)}px`;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const items = [...list.current!.querySelectorAll<HTMLElement>('button:not(:disabled)')];
    items.at((items.indexOf(document.activeElement as HTMLElement) + step) % items.length)?.focus();
  };
  return (
    <>
      <button ref={opener} type="button" class={`quiet ${kind}`} aria-label={name} {...{ popovertarget: id }}>{button}</button>
      <div ref={list} id={id} class="menu" popover="auto" onBeforeToggle={place} onKeyDown={onKeyDown} onClick={() => list.current!.hidePopover()}>{children}</div>
    </>
  );
}
