/** One signed attempt to deliver a body. Never throws: what went wrong is the outcome. */
export type WebhookSender = {
  send(delivery: {
    url: string;
    event_id: string;
    body: string;
    /** Newest first; the signature header carries one entry for each. */
    secrets: readonly string[];
  }): Promise<{ is_success: boolean; response_status_code: number | null; error: string | null }>;
  /** A new `whsec_` secret: 32 random bytes. */
  createSecret(): string;
};
