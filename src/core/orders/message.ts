/** A message that claims to be the marketplace's, as it was received. */
export type SignedMessage = {
  /** Values of webhook-id, webhook-timestamp and webhook-signature; undefined where missing. */
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
  /** The bytes as received: any other rendering of the same JSON has another signature. */
  body: Buffer;
};
