import { signal } from '@preact/signals';
import type { PlanEditor } from '../../plan/editor/editor';

/** The editor, once it is loaded. */
export const editor = signal<PlanEditor | null>(null);

export const goTo = ({ line, column }: { line: number; column: number }): void => editor.peek()?.goTo(line, column);
