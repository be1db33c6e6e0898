/**
 * The document that runs a build, and its messages. Its frame is sandboxed: it has no origin, so it cannot reach this page or its
 * storage, and the policy of `preview.html` lets it load nothing.
 */
import type { BuildMessage } from 'loopgate';
import type { Bundle } from './bundle';
import { LEVELS, report, type FrameMessage, type FramePage } from './report';

/** The messages that are kept: so many errors, and so many messages of each level. */
export const MOST = 50;
/** The length of a message. */
export const LONGEST = 2000;

/** What the page of a frame has reported. */
export interface FrameReport {
  errors: BuildMessage[];
  console: Array<{ level: string; message: string }>;
  settled: boolean;
}

export const NOTHING: FrameReport = { errors: [], console: [], settled: false };

/**
 * Begins the script of the project: it is the last one. Frames in the page have this policy, too, so that none of them runs a
 * script with the connections that the reporting script takes away. On the line of the code, whose lines are reported.
 */
const LAST_SCRIPT = `document.head.append(Object.assign(document.createElement("meta"),{httpEquiv:"Content-Security-Policy",content:"script-src 'none'"}));`;

/** Texts of the project are only in one literal, from which the reporting script makes elements. */
export function frameDocument(bundle: Bundle, runtime: string): string {
  const page: FramePage = { css: bundle.css, scripts: [`(${memoryStorage})()`, runtime, LAST_SCRIPT + (bundle.code ?? '')], levels: LEVELS, most: MOST, longest: LONGEST };
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"></head>
<body>
<div id="root"></div>
<script>"use strict";(${report})(${literal(page)})</script>
</body>
</html>`;
}

/**
 * Gives the page `localStorage` and `sessionStorage`, which a sandbox without an origin does not have. They last as long as the page.
 * Its source is sent, so it uses nothing of this module.
 */
function memoryStorage(): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    const items = new Map<string, string>();
    const methods: Record<PropertyKey, unknown> = {
      key: (at: number) => [...items.keys()][at] ?? null,
      getItem: (key: unknown) => items.get(String(key)) ?? null,
      setItem: (key: unknown, value: unknown) => void items.set(String(key), String(value)),
      removeItem: (key: unknown) => void items.delete(String(key)),
      clear: () => items.clear(),
    };
    const value = new Proxy(methods, {
      get: (_, key) => (key === 'length' ? items.size : (methods[key] ?? items.get(String(key)))),
      set: (_, key, value) => !!items.set(String(key), String(value)),
      has: (_, key) => key in methods || items.has(String(key)),
      deleteProperty: (_, key) => items.delete(String(key)) || true,
      ownKeys: () => [...items.keys()],
      getOwnPropertyDescriptor: (_, key) => (items.has(String(key)) ? { value: items.get(String(key)), enumerable: true, configurable: true, writable: true } : undefined),
    });
    Object.defineProperty(window, name, { value, configurable: true });
  }
}

/** Without `<`, nothing in a script has a meaning for the HTML parser. */
const literal = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The report with one more message; the same one if the message is not one of a frame, or beyond the limits. */
export function withMessage<R extends FrameReport>(report: R, message: unknown): R {
  if (!isMessage(message)) return report;
  switch (message.type) {
    case 'error':
      return isFull(report.errors) ? report : { ...report, errors: [...report.errors, { message: message.message, line: message.line, column: message.column }] };
    case 'console': {
      const { level } = message;
      return isFull(report.console.filter((entry) => entry.level === level)) ? report : { ...report, console: [...report.console, { level, message: message.message }] };
    }
    case 'settled':
      return { ...report, settled: true };
  }
}

/** One more than `MOST`: the last message says that there are more. */
const isFull = (messages: unknown[]): boolean => messages.length > MOST;

function isMessage(value: unknown): value is FrameMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { type, message, level, line, column } = value as Record<string, unknown>;
  if (type === 'settled') return true;
  if (typeof message !== 'string' || message.length > LONGEST) return false;
  const isPlace = (place: unknown) => place === undefined || Number.isSafeInteger(place);
  return type === 'error' ? isPlace(line) && isPlace(column) : type === 'console' && LEVELS.some((known) => known === level);
}
