/** What a failed call of a model means, and what to do about it. */
export function explainModelError(error: unknown, baseUrl: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const status = statusOf(error) ?? Number(/\b([45]\d\d)\b/.exec(message)?.[1]);
  const said = ` It said: ${message}`;
  if (status === 401 || status === 403) return `The server refused the key (${status}). Check the key and what it may use.${said}`;
  if (status === 404) return `There is no such address or model (404). Check the model's name, and that the address ends before "/chat/completions".${said}`;
  if (status === 429) return `The server asks to slow down, or the account has no credit (429).${said}`;
  if (status === 400 || status === 422) return `The server did not accept the request (${status}). The model may not support tool calls.${said}`;
  if (status >= 500) return `The server failed (${status}). Try again later.${said}`;
  if (isUnreachable(error, message)) {
    return `${hostOf(baseUrl)} cannot be reached. Either the network is off, the address is wrong, or the server does not let pages of other sites call it (CORS): a local server often has an option for that.`;
  }
  return message;
}

function statusOf(error: unknown): number | undefined {
  for (let at: unknown = error; at instanceof Object; at = (at as { cause?: unknown }).cause) {
    const status = (at as { status?: unknown }).status;
    if (typeof status === 'number') return status;
  }
  return undefined;
}

/** Browsers give a TypeError, in their own words, for everything between them and a server. */
function isUnreachable(error: unknown, message: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof TypeError) return true;
  return /failed to fetch|networkerror|load failed/i.test(message);
}

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);
