/**
 * The meaning of a failed call for its caller.
 * refused: the marketplace refused it (4xx); known not done. not_found: 404 for the resource itself; known
 * not done.
 * reconnect: the shop's tokens are no longer valid; known not done. credentials: the application's own key
 * was refused; known not done.
 * no_application: there is no key to make the call with; known not done.
 * rate_limited: still 429 after the client's own waiting; known not done. unavailable: known not sent, or a
 * read that failed.
 * unknown: a write whose outcome cannot be determined (timeout, reset, 5xx, unreadable answer).
 */
export type MarketplaceFailure =
  | 'refused'
  | 'not_found'
  | 'reconnect'
  | 'credentials'
  | 'no_application'
  | 'rate_limited'
  | 'unavailable'
  | 'unknown';

/**
 * The only error that a marketplace port throws (besides an AbortError of the caller's own signal). `message`
 * is the marketplace's raw text: quote it before showing it.
 */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  readonly failure: MarketplaceFailure;
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;
  /**
   * Names of our fields that the refusal is about, as far as the answer shows (`title`, `shop_section_id`).
   */
  readonly fields: readonly string[];
  /** The message is ours, since the marketplace gave no reason. Do not quote it as the marketplace's text. */
  readonly is_ours: boolean;
  readonly retry_after_seconds: number | undefined;
  /** The marketplace's own request id, for its support. */
  readonly request_id: string | undefined;

  constructor(
    failure: MarketplaceFailure,
    message: string,
    options: {
      status?: number | null;
      fields?: readonly string[];
      is_ours?: boolean;
      retry_after_seconds?: number;
      request_id?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.status = options.status ?? null;
    this.fields = options.fields ?? [];
    this.is_ours = options.is_ours ?? false;
    this.retry_after_seconds = options.retry_after_seconds;
    this.request_id = options.request_id;
  }
}

export type CallOptions = {
  signal?: AbortSignal;
  /**
   * In ms of the clock's monotonic time. A call that could not be sent before this time, because of the
   * limits or because the process was held up, throws `rate_limited`.
   */
  send_before_ms?: number;
  /**
   * Called each time the call is sent, once the limits give it a slot, for anything that must be committed or
   * checked right before; resolves to `send_before_ms`, counted from then. The call is not sent if it
   * rejects.
   */
  beforeSend?: () => Promise<number>;
  /**
   * Throws `rate_limited` at the first 429, since the data that the call writes must be read again before
   * another attempt.
   */
  is_sent_once?: boolean;
  /** Its priority when the limits leave no room for all calls. Default: the priority of its operation. */
  lane?: 'interactive' | 'background';
};
