/**
 * The document that runs a build. Its frame is sandboxed: it has no origin, so it cannot reach this page or its storage, and it
 * cannot load anything. It reports to this page by messages.
 */
import type { Bundle } from './bundle';

/** A message of the frame. `frame` is the number of the run. */
export type FrameMessage = { frame: number } & (
  | { type: 'error'; message: string; line?: number; column?: number }
  | { type: 'console'; level: string; message: string }
  | { type: 'settled' }
);

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:";

export function frameDocument(frame: number, bundle: Bundle, runtime: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<style>${bundle.css.replaceAll('</style', '<\\/style')}</style>
<script>(${report})(${frame})</script>
</head>
<body>
<div id="root"></div>
<script>${inline(runtime)}</script>
<script>${inline(bundle.code ?? '')}</script>
<script>settled()</script>
</body>
</html>`;
}

const inline = (script: string): string => script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

/** Runs inside the frame, before the project's code. */
function report(frame: number): void {
  const post = (message: object) => parent.postMessage({ frame, ...message }, '*');
  const text = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.message;
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  addEventListener('error', (event) => {
    post({ type: 'error', message: text(event.error ?? event.message), line: event.lineno || undefined, column: event.colno || undefined });
  });
  addEventListener('unhandledrejection', (event) => post({ type: 'error', message: `Unhandled rejection: ${text(event.reason)}` }));
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const original = console[level];
    console[level] = (...values: unknown[]) => {
      post({ type: 'console', level, message: values.map(text).join(' ') });
      original.apply(console, values);
    };
  }
  // React renders in a later task; errors of effects come after that.
  Object.assign(globalThis, { settled: () => setTimeout(() => setTimeout(() => post({ type: 'settled' }), 50)) });
}
