/** Explains a failed call of a model and says what to do. */
import type { Endpoint } from './providers';

type Server = Pick<Endpoint, 'provider' | 'baseUrl' | 'model'>;

const ADVICE: ReadonlyArray<{ statuses: number[]; advice(status: number, server: Server): string }> = [
  { statuses: [400, 422], advice: (status) => `The server refused the request (${status}). The model may not support tool calls.` },
  { statuses: [401, 403], advice: (status) => `The server refused the key (${status}). Check the key and its permissions.` },
  { statuses: [402], advice: () => 'The account has no credit left (402). Add credit, or use another key.' },
  {
    statuses: [404],
    advice: (_, { provider, model }) => `Address or model not found (404). Check the address, which usually ends with /v1, and the name of the model. ${provider.unknownModel?.(model) ?? ''}`,
  },
  { statuses: [429], advice: () => 'Too many requests (429). Wait a minute, or use another model.' },
];

/** `page`: the address of this page. */
export function explainModelError(error: unknown, server: Server, page: string = location.href): string {
  const message = error instanceof Error ? error.message : String(error);
  const status = statusOf(error) ?? Number(/\b([45]\d\d)\b/.exec(message)?.[1]);
  const known = ADVICE.find(({ statuses }) => statuses.includes(status));
  const advice = known?.advice(status, server) ?? (status >= 500 ? `The server failed (${status}). Try again later.` : null);
  if (advice) return message ? `${advice.trim()} Its answer: ${message}` : advice.trim();
  return isUnreachable(error, message) ? unreachable(server, new URL(page)) : message;
}

function unreachable({ provider, baseUrl }: Server, page: URL): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const failed = `Cannot reach ${url?.host ?? baseUrl}.`;
  const isLocal = url !== null && /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (page.protocol === 'https:' && url?.protocol === 'http:' && !isLocal) return `${failed} From a page with https, browsers call http addresses of this computer only. Use an address with https, or localhost.`;
  const server = provider.unreachable?.(page.origin) ?? 'The server must also allow calls from other sites (CORS); local servers often have an option for that.';
  const permission = isLocal && page.hostname !== url.hostname ? ' If the browser asks for access to this computer, allow it.' : '';
  return `${failed} Check the network and the address. ${server}${permission}`;
}

function statusOf(error: unknown): number | undefined {
  for (let at: unknown = error; at instanceof Object; at = (at as { cause?: unknown }).cause) {
    const status = (at as { status?: unknown }).status;
    if (typeof status === 'number') return status;
  }
  return undefined;
}

/** For network errors, browsers throw a TypeError; its text differs. */
function isUnreachable(error: unknown, message: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof TypeError) return true;
  return /failed to fetch|networkerror|load failed/i.test(message);
}
