import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../media/sample.js';

/** A proxy between one instance and the database server that breaks connections and delays their data. */
export type DatabaseProxy = {
  port: number;
  /** Breaks all open connections, and returns their number. */
  reset(): number;
  /**
   * Drops the connection on which the next transaction commits, before its answer arrives. Resolves after
   * that.
   */
  loseCommit(): Promise<void>;
  /** Blocks all data in both directions. */
  stall(): void;
  /** Delivers the delayed data. */
  resume(): void;
  close(): Promise<void>;
};

/** The bytes the driver sends: a simple query with this text. */
const COMMIT = Buffer.from('COMMIT\0');

export async function startDatabaseProxy(port: number): Promise<DatabaseProxy> {
  const pairs = new Set<{ cut: () => void }>();
  let held: (() => void)[] | undefined;
  let onCommit: (() => void) | undefined;

  const pass = (go: () => void): void => {
    if (held) held.push(go);
    else go();
  };

  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let losesAnswer: (() => void) | undefined;
    const pair = {
      cut() {
        pairs.delete(pair);
        near.resetAndDestroy();
        far.resetAndDestroy();
      },
    };
    pairs.add(pair);
    near.on('data', (bytes) => {
      if (onCommit && bytes.includes(COMMIT)) {
        losesAnswer = onCommit;
        onCommit = undefined;
      }
      pass(() => send(far, bytes));
    });
    far.on('data', (bytes) => {
      if (losesAnswer) {
        pair.cut();
        losesAnswer();
        return;
      }
      pass(() => send(near, bytes));
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        pass(() => to.end());
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function reset(): number {
    const count = pairs.size;
    for (const pair of pairs) pair.cut();
    return count;
  }

  return {
    port: portOf(server),
    reset,
    loseCommit: () => new Promise((resolve) => (onCommit = resolve)),
    stall() {
      held ??= [];
    },
    resume() {
      const late = held ?? [];
      held = undefined;
      for (const go of late) go();
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      reset();
      return closed;
    },
  };
}

function send(to: Socket, bytes: Buffer): void {
  if (!to.destroyed && to.writable) to.write(bytes);
}
