/** What happens in the page of the frame, as it is sent to this page. */
export type FrameMessage =
  | { type: 'error'; message: string; line?: number; column?: number }
  | { type: 'console'; level: Level; message: string }
  | { type: 'settled' };

export const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
type Level = (typeof LEVELS)[number];

export interface FramePage {
  css: string;
  /** Classic scripts, in order. */
  scripts: string[];
  levels: readonly Level[];
  /** The number of errors, and of messages of each level. */
  most: number;
  /** The length of a message. */
  longest: number;
}

/**
 * Runs inside the frame, in strict mode, as the only script of its document. It runs the page and reports on it through a port
 * that nothing else can reach. Its source is sent, so it uses nothing of this module. When the page's scripts run, they can patch
 * every global: from then on it only calls what it has taken before.
 */
export function report({ css, scripts, levels, most, longest }: FramePage): void {
  const { apply } = Reflect;
  const { stringify } = JSON;
  const [page, shown, toText, later, { slice }] = [window, console, String, setTimeout, String.prototype];
  const [ErrorClass, isInstance] = [Error, Function.prototype[Symbol.hasInstance]];
  const reader = <T>({ prototype }: { prototype: object }, name: string): ((event: Event) => T) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name)!;
    return (event) => apply(get!, event, []);
  };
  const target = reader<EventTarget>(Event, 'target');
  const [thrown, message] = [reader<unknown>(ErrorEvent, 'error'), reader<string>(ErrorEvent, 'message')];
  const [line, column] = [reader<number>(ErrorEvent, 'lineno'), reader<number>(ErrorEvent, 'colno')];
  const reason = reader<unknown>(PromiseRejectionEvent, 'reason');

  // These connect without a request that the policy of the frame could refuse.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCIceGatherer', 'WebTransport']) {
    Object.defineProperty(page, name, { value: undefined, writable: false, configurable: false });
  }

  const { port1, port2 } = new MessageChannel();
  const post: (message: object) => void = port1.postMessage.bind(port1);
  parent.postMessage(null, '*', [port2]);

  /** Posts the first messages of a kind. */
  const sender = (kind: { type: 'error' } | { type: 'console'; level: Level }) => {
    let sent = 0;
    return (text: string, line?: number, column?: number) => {
      sent += 1;
      if (sent > most + 1) return;
      const message = sent > most ? `There are more than ${most} of these messages. The others are not reported.` : apply(slice, text, [0, longest]);
      post({ ...kind, message, line, column });
    };
  };
  /** Empty if there is no text. The value may have methods of the page. */
  const text = (value: unknown): string => {
    try {
      if (typeof value === 'string') return value;
      if (!apply(isInstance, ErrorClass, [value])) return stringify(value) ?? toText(value);
      const { message } = value as Error;
      return (typeof message === 'string' && message) || toText(value);
    } catch {
      return '';
    }
  };

  const sendError = sender({ type: 'error' });
  // The first listener that captures is called first: no other one can stop the event. A file that fails to load is not a script error.
  addEventListener('error', (event) => {
    if (!event.isTrusted || target(event) !== page) return;
    sendError(text(thrown(event) ?? message(event)) || message(event) || 'An error without a message', line(event) || undefined, column(event) || undefined);
  }, true);
  addEventListener('unhandledrejection', (event) => {
    if (event.isTrusted) sendError(`Unhandled rejection: ${text(reason(event))}`);
  }, true);

  for (const level of levels) {
    const original = shown[level];
    const send = sender({ type: 'console', level });
    shown[level] = (...values: unknown[]) => {
      let joined = '';
      for (let at = 0; at < values.length; at++) joined += `${at ? ' ' : ''}${text(values[at])}`;
      send(joined);
      apply(original, shown, values);
    };
  }
  // Assignments to the console have no effect: a page could hide from the gate what React writes there.
  const ignore = () => true;
  const fixed = new Proxy(shown, { set: ignore, defineProperty: ignore, deleteProperty: ignore });
  Object.defineProperty(page, 'console', { get: () => fixed, set: ignore, configurable: false });

  // `document.open()` removes all listeners of the page.
  const probe = new Event('loopgate-probe');
  const dispatch = page.dispatchEvent.bind(page);
  let heard = false;
  addEventListener(probe.type, () => void (heard = true), true);
  const settle = () => {
    heard = false;
    dispatch(probe);
    if (!heard) sendError('document.open() or document.write() replaced the page, so its errors cannot be seen: remove the call');
    post({ type: 'settled' });
  };
  // What the next document does cannot be seen, so this is the end of the report.
  for (const type of ['beforeunload', 'pagehide']) {
    addEventListener(type, (event) => {
      if (!event.isTrusted) return;
      sendError('The page leaves its document, so its errors cannot be seen: remove the navigation');
      post({ type: 'settled' });
    }, true);
  }
  // React renders in a later task; errors of effects come after that.
  later(() => later(settle, 50));

  const add = (tag: 'style' | 'script', text: string) => {
    const element = document.createElement(tag);
    element.textContent = text;
    document.head.append(element);
  };
  add('style', css);
  for (const script of scripts) add('script', script);
}
