type RetryOptions = {
  /** How often the work is done at most. */
  attempts: number;
  /** Whether another attempt may succeed; left out: after any error. */
  isWorthIt?: (error: unknown) => boolean;
  /** Waits before the next attempt. */
  pause?: (attempt: number) => Promise<void>;
};

/** Does the work again while it fails. Rejects with the error of the last attempt. */
export async function retry<T>(
  work: (attempt: number) => T | Promise<T>,
  { attempts, isWorthIt = () => true, pause }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= attempts || !isWorthIt(error)) throw error;
    }
    await pause?.(attempt);
  }
}
