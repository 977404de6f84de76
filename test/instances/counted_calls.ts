import pg from 'pg';

/** One call of an operation, as its caller saw it: when it was sent and answered (epoch milliseconds). */
export type SeenCall = { account_id: string; sent_ms: number; answered_ms: number; is_limited: boolean };

/** A call that counted, by the database's clock. */
type CountedCall = { account_id: string; calls: number; at_ms: number };

const SECOND_MS = 1_000;

/** Makes the database record each call that counts, before the first one is made. */
export async function noteCountedCalls(database_url: string): Promise<void> {
  await ask(
    database_url,
    `CREATE TABLE noted_calls (account_id TEXT, calls BIGINT, at_ms BIGINT);
    CREATE FUNCTION note_call() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO noted_calls VALUES (NEW.account_id, NEW.calls, NEW.last_at_ms); RETURN NEW;
    END $$;
    CREATE TRIGGER note_call AFTER INSERT OR UPDATE ON call_counts FOR EACH ROW EXECUTE FUNCTION note_call();`,
  );
}

/**
 * Compares with the database's record, over all instances: calls of an account beyond its limit in any
 * second, calls refused although there was room, and calls that counted without an answer, or the other way
 * round. A sentence each.
 */
export async function findBrokenLimits(
  database_url: string,
  seen: readonly SeenCall[],
  per_second: number,
): Promise<string[]> {
  const { rows } = await ask(database_url, 'SELECT * FROM noted_calls ORDER BY account_id, calls');
  const counted = rows.map(({ account_id, calls, at_ms }): CountedCall => ({
    account_id: String(account_id),
    calls: Number(calls),
    at_ms: Number(at_ms),
  }));
  const account_ids = new Set(seen.map(({ account_id }) => account_id));
  return [...account_ids].flatMap((account_id) => {
    const own = counted.filter((call) => call.account_id === account_id);
    const calls = seen.filter((call) => call.account_id === account_id);
    const answered = calls.filter(({ is_limited }) => !is_limited);
    const beyond = own.filter(
      ({ at_ms }, index) => at_ms - (own[index - per_second]?.at_ms ?? -Infinity) < SECOND_MS,
    );
    const needless = calls.filter(
      ({ is_limited, sent_ms, answered_ms }) =>
        is_limited &&
        own.filter(({ at_ms }) => at_ms > sent_ms - SECOND_MS && at_ms <= answered_ms).length < per_second,
    );
    return [
      ...beyond.map(
        ({ at_ms }) => `${account_id}: one more than ${per_second} in the second before ${at_ms}`,
      ),
      ...needless.map(({ sent_ms }) => `${account_id}: refused at ${sent_ms} though there was room`),
      ...(own.length === answered.length
        ? []
        : [`${account_id}: ${own.length} calls counted, and ${answered.length} were answered`]),
    ];
  });
}

/** Each row of one query. */
export async function ask(database_url: string, text: string): Promise<{ rows: Record<string, unknown>[] }> {
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  try {
    return await client.query<Record<string, unknown>>(text);
  } finally {
    await client.end();
  }
}
