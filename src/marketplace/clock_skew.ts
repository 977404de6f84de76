/** How far the marketplace's clock is ahead of ours, from the Date header of its answers, which has whole seconds. */
export function createClockSkew() {
  let skew_ms = 0;
  return {
    learn(date: string, sent_at_ms: number, received_at_ms: number): void {
      const theirs_ms = Date.parse(date);
      if (!Number.isNaN(theirs_ms)) skew_ms = theirs_ms + 500 - (sent_at_ms + received_at_ms) / 2;
    },
    get: (): number => skew_ms,
  };
}
