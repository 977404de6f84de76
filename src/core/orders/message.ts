/** A message that says it is the marketplace's, as it came. */
export type SignedMessage = {
  /** Values of webhook-id, webhook-timestamp and webhook-signature; undefined where missing. */
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
  /** The bytes as they came: any other rendering of the same JSON has another signature. */
  body: Buffer;
};
