/** The outcome of one attempt to deliver. */
export type SendOutcome = {
  is_success: boolean;
  response_status_code: number | null;
  /** Why it failed, as a short class that a person can act on; null for a success. */
  error: string | null;
  /** The Retry-After of a receiver that refused it; at most a day. */
  retry_after_ms?: number;
};

/** Makes one signed attempt to deliver a body. Never throws: a failure is part of the outcome. */
export type WebhookSender = {
  send(delivery: {
    url: string;
    event_id: string;
    body: string;
    /** Newest first; the signature header carries one entry for each. */
    secrets: readonly string[];
  }): Promise<SendOutcome>;
  /** A new `whsec_` secret: 32 random bytes. */
  createSecret(): string;
};
