/** An error that the person who runs the service can act on: the message says what to do, and no stack trace is needed. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
