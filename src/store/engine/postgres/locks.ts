import type { ClientBase } from 'pg';

/** Names our locks among those that other programs take in the same database. */
const SPACE = 0x4d4c5301;
const NUMBERS = { migrate: 1 } as const;

/** Takes a lock over all instances until the transaction ends, and waits for none: false when another one has it. */
export async function lockTransaction(
  client: Pick<ClientBase, 'query'>,
  name: keyof typeof NUMBERS,
): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1, $2) AS locked',
    [SPACE, NUMBERS[name]],
  );
  return rows[0]?.locked === true;
}
