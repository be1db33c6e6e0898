/** Explains a failed call of a model and says what to do. */
export function explainModelError(error: unknown, baseUrl: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const status = statusOf(error) ?? Number(/\b([45]\d\d)\b/.exec(message)?.[1]);
  const answer = ` Its answer: ${message}`;
  if (status === 401 || status === 403) return `The server refused the key (${status}). Check the key and its permissions.${answer}`;
  if (status === 404) return `Address or model not found (404). Check the model's name and the address, which ends before "/chat/completions".${answer}`;
  if (status === 429) return `Too many requests, or the account has no credit (429).${answer}`;
  if (status === 400 || status === 422) return `The server refused the request (${status}). The model may not support tool calls.${answer}`;
  if (status >= 500) return `The server failed (${status}). Try again later.${answer}`;
  if (isUnreachable(error, message)) {
    return `Cannot reach ${hostOf(baseUrl)}. Check the network and the address. The server must also allow calls from other sites (CORS); local servers often have an option for that.`;
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

/** For network errors, browsers throw a TypeError; its text differs. */
function isUnreachable(error: unknown, message: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof TypeError) return true;
  return /failed to fetch|networkerror|load failed/i.test(message);
}

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);
