import { sql } from 'kysely';
import type { Clock, Log } from '../../../core/ports/index.js';
import type { Engines } from '../engine.js';
import { findHold, liftHold, setHold } from './holds.js';
import { openPostgresEngines } from './open.js';
import { describeTarget } from './refusals.js';
import { toNumber } from '../../numbers.js';
import { StoreError } from '../../store_error.js';
import { getEngine, type MovePlace, type Row, type TableShape } from '../../move/place.js';

type Options = {
  url: string;
  /** The setting that names the database; undefined: DATABASE_URL. */
  setting?: string;
  move_id: string;
  clock: Clock;
  log: Log;
};

export type PostgresPlace = MovePlace & Pick<Engines, 'keepMarketplace'>;

/** Marks a move among the instances on a database: those of the service have other names. */
const MOVE_INSTANCE = 'move_';

/** A PostgreSQL database, brought up to date. Throws StoreError if it cannot be used. */
export async function openPostgresPlace({
  url,
  setting,
  move_id,
  clock,
  log,
}: Options): Promise<PostgresPlace> {
  const engines = await openPostgresEngines({
    url,
    setting,
    max_connections: 2,
    instance: `${MOVE_INSTANCE}${move_id}`,
    is_move: true,
    clock,
    log,
  });
  const { service, rates } = engines;
  const name = describeTarget(url);
  const place: PostgresPlace = {
    name,
    keepMarketplace: engines.keepMarketplace,
    service,
    rates,
    findHold: () => service.read(findHold),
    setHold: (hold) => service.write((trx) => setHold(trx, hold)),
    liftHold: () => service.write(liftHold),
    async checkAlone() {
      const { rows } = await service.read((trx) =>
        sql`SELECT instance FROM instances WHERE alive_until > clock_timestamp() AND NOT starts_with(instance, ${MOVE_INSTANCE}) LIMIT 1`.execute(
          trx,
        ),
      );
      if (rows.length === 0) return;
      throw new StoreError(
        `An instance of the service runs on ${name}, or was ended less than a minute ago. Stop all of them, wait that long, then run the same command again.`,
      );
    },
    async insertRows(table, rows) {
      // One SQL text per table, whatever the number of its rows.
      const names = sql.join(table.columns.map((column) => sql.ref(column)));
      const json = JSON.stringify(rows.map((row) => toJsonRow(row)));
      const query = sql`INSERT INTO ${sql.table(table.name)} (${names})
        SELECT ${names} FROM json_populate_recordset(null::${sql.table(table.name)}, ${json}::json)`;
      await getEngine(place, table).write((trx) => query.execute(trx));
    },
    async readLastNumber(table) {
      const query = sql<{ last: unknown }>`SELECT pg_sequence_last_value(${getSequence(table)}) AS last`;
      const { rows } = await service.read((trx) => query.execute(trx));
      return toNumber(rows[0]?.last as number | null);
    },
    async setLastNumber(table, last) {
      if (last === 0) return;
      await service.write((trx) => sql`SELECT setval(${getSequence(table)}, ${last})`.execute(trx));
    },
    finish: () => service.write(liftHold),
    async close() {
      await service.close();
      await rates.close();
    },
  };
  return place;
}

/** Removes the hold by which a database refuses a start after a move. Returns the place it was moved to, if it was. */
export async function liftPostgresMark(options: Options): Promise<string | undefined> {
  const place = await openPostgresPlace(options);
  try {
    const hold = await place.findHold();
    if (hold?.reason !== 'moved_out' && hold?.reason !== 'moving_out') return undefined;
    await place.finish();
    return hold.place ?? '';
  } finally {
    await place.close();
  }
}

function getSequence({ name, key: [column = ''] }: TableShape) {
  return sql`pg_get_serial_sequence(${name}, ${column})::regclass`;
}

/** Bytes in the form that PostgreSQL reads from text. */
function toJsonRow(row: Row): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? String.raw`\x${value.toString('hex')}` : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
