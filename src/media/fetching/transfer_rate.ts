/**
 * Calls onTooSlow once if fewer bytes than the minimum arrived in any window after the first byte. Checks ten
 * times per window, so it notices a stall at most a tenth of a window late.
 */
export function watchRate(
  minimum: { size_bytes: number; window_ms: number },
  onTooSlow: () => void,
): { count: (size_bytes: number) => void; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let total_bytes = 0;
  const totals: number[] = [];

  const check = (): void => {
    const total_before = totals.length < TICKS ? undefined : totals.shift();
    totals.push(total_bytes);
    if (total_before === undefined || total_bytes - total_before >= minimum.size_bytes) return;
    clearInterval(timer);
    onTooSlow();
  };

  return {
    count(size_bytes) {
      if (timer === undefined) {
        totals.push(0);
        timer = setInterval(check, minimum.window_ms / TICKS);
      }
      total_bytes += size_bytes;
    },
    stop() {
      clearInterval(timer);
    },
  };
}

const TICKS = 10;
