/** The model's server refused the call or failed. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(
    message: string,
    readonly status: number | undefined,
    /** Seconds. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}
