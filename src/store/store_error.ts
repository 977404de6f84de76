/** An error the operator can act on: the message says what to do, and no stack trace is needed. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
