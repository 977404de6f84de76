type RetryOptions = {
  /** The most attempts. */
  attempts: number;
  /** Whether another attempt may succeed; default: after any error. */
  isWorthIt?: (error: unknown) => boolean;
  /** Waits before the next attempt. */
  pause?: (attempt: number) => Promise<void>;
};

/** Repeats the work while it fails. Rejects with the error of the last attempt. */
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
