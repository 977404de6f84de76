/** What a failed call means for its caller.
 * refused: the marketplace said no (4xx); known not done. not_found: 404 of the thing itself; known not done.
 * reconnect: the shop's tokens are over; known not done. credentials: the application's own key was refused; known not done.
 * no_application: there is no key to make the call with; known not done.
 * rate_limited: still 429 after the client's own waiting; known not done. unavailable: known not sent, or a read that failed.
 * unknown: a write whose outcome cannot be known (timeout, reset, 5xx, unreadable answer). */
export type MarketplaceFailure =
  | 'refused'
  | 'not_found'
  | 'reconnect'
  | 'credentials'
  | 'no_application'
  | 'rate_limited'
  | 'unavailable'
  | 'unknown';

/** The only error that a marketplace port throws (besides an AbortError of the caller's own signal). `message` is the marketplace's text, raw: quote it before showing. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  readonly failure: MarketplaceFailure;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Names of our fields the refusal is about, as far as the answer tells (`title`, `shop_section_id`). */
  readonly fields: readonly string[];
  /** The message is ours: the marketplace gave no reason. It is not to be quoted as its words. */
  readonly is_ours: boolean;
  readonly retry_after_seconds: number | undefined;
  /** The marketplace's own id of the request, for its support. */
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
   * In ms of the clock's monotonic time: a call that could not be sent by then, because of the limits or because the process was
   * held up, throws `rate_limited`.
   */
  send_before_ms?: number;
  /**
   * Called once the limits have given the call its place, each time it is sent, for what has to be committed or checked right before;
   * resolves to `send_before_ms`, counted from then. The call is not sent when it rejects.
   */
  beforeSend?: () => Promise<number>;
  /** Throws `rate_limited` at the first 429, since what the call writes has to be read again before it is sent again. */
  is_sent_once?: boolean;
  /** Its priority when the limits leave no room for all calls; left out: the priority of its operation. */
  lane?: 'interactive' | 'background';
};
