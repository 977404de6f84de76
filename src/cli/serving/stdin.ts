import { fstatSync } from 'node:fs';
import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';

/** As much as is read at once. */
const BUFFER_BYTES = 64 * 1024;
const STDIN = 0;

/**
 * Standard input, to be listened to at once. Of a pipe, all is read into one buffer, since a new one for each message costs as much as
 * parsing it: what `data` tells holds until its listeners return, and has to be copied by whoever keeps it.
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
