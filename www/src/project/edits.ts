/** The files that the user edits in this page. The run of this tab gets their paths, so that their changes are the user's. */

let listener: ((paths: string[]) => void) | null = null;

/** `null`: no run of this tab is active. */
export function onEdits(next: ((paths: string[]) => void) | null): void {
  listener = next;
}

/** The user edits these files. Every editor calls it before it writes, so that the change is the user's as soon as it is there. */
export function edits(...paths: string[]): void {
  listener?.(paths);
}
