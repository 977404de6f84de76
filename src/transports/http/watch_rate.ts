import type { IncomingMessage } from 'node:http';

const WINDOW_MS = 20_000;
const MIN_BYTES = 20_000;

/**
 * Aborts a request whose body arrives slower than 1 kB per second over 20 seconds: a large upload may take
 * long, but a trickle must not hold a connection as long. Returns a function that stops watching.
 */
export function watchRate(request: IncomingMessage): () => void {
  const { socket } = request;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const now = socket.bytesRead;
    // A paused request waits for the disk; the caller is not slow.
    const isSlow = now - seen < MIN_BYTES && !request.isPaused();
    seen = now;
    if (isSlow && !request.complete) request.destroy(new Error('The body arrives too slowly.'));
  }, WINDOW_MS);
  timer.unref();
  return () => clearInterval(timer);
}
