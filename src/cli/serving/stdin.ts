import { fstatSync } from 'node:fs';
import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';

/** As much as is read at once. */
const BUFFER_BYTES = 64 * 1024;
const STDIN = 0;

/**
 * Standard input, for listeners that are added at once. A pipe is read into one buffer each time, since allocating one for each
 * message costs as much as parsing it: a chunk of `data` is valid only until its listeners return, and a listener that keeps it has
 * to copy it.
 */
export function openStdin(): Socket {
  if (!isPipe()) return process.stdin;
  const onread: OnReadOpts = {
    buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
    callback: (count, buffer) => input.emit('data', buffer.subarray(0, count)),
  };
  const options: SocketConstructorOpts & { onread: OnReadOpts } = {
    fd: STDIN,
    readable: true,
    writable: false,
    onread,
  };
  const input = new Socket(options);
  return input;
}

function isPipe(): boolean {
  try {
    const stat = fstatSync(STDIN);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    // Closed.
    return false;
  }
}
