/** What became of one attempt. */
export type SendOutcome = {
  is_success: boolean;
  response_status_code: number | null;
  /** A class that a person can act on. */
  error: string | null;
  /** How long a receiver that did not take it asked to be left alone; a day at most. */
  retry_after_ms?: number;
};

/** One signed attempt to deliver a body. Never throws: what went wrong is the outcome. */
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
