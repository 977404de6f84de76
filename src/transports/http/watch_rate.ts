import type { IncomingMessage } from 'node:http';

const WINDOW_MS = 20_000;
const MIN_BYTES = 20_000;

/**
 * Breaks a body off that arrives slower than 1 kB a second over 20 seconds: an upload may take long, a trickle may not
 * hold a connection for as long. Returns how to stop watching.
 */
export function watchRate(request: IncomingMessage): () => void {
  const { socket } = request;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const now = socket.bytesRead;
    // Paused: the disk is slow, not the caller.
    const isSlow = now - seen < MIN_BYTES && !request.isPaused();
    seen = now;
    if (isSlow && !request.complete) request.destroy(new Error('The body arrives too slowly.'));
  }, WINDOW_MS);
  timer.unref();
  return () => clearInterval(timer);
}
