import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../media/sample.js';

/** Between one instance and the database's server: breaks connections, and holds up what goes over them. */
export type DatabaseProxy = {
  port: number;
  /** Breaks all connections that there are; how many. */
  reset(): number;
  /** Of the next transaction that is committed, the answer is lost with its connection. Resolves then. */
  loseCommit(): Promise<void>;
  /** Nothing comes through any more, in either direction. */
  stall(): void;
  /** What was held up goes on to where it was sent, late. */
  resume(): void;
  close(): Promise<void>;
};

/** As the driver sends it: a simple query of this text. */
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
