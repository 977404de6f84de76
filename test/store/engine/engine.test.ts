import { dirname, join } from 'node:path';
import { sql, type Generated, type Transaction } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shiftTime, type Engine } from '../../../src/store/engine/engine.js';
import { openConnection, openReader } from '../../../src/store/engine/sqlite/connection.js';
import { createSqliteEngine } from '../../../src/store/engine/sqlite/engine.js';
import { createPresence } from '../../../src/store/engine/sqlite/presence.js';
import { createTestClock, createTestIds, START } from '../ports.js';
import { makeDirectory } from '../world.js';

type Notes = { notes: { note_id: Generated<number>; text: string } };

const ids = createTestIds();

async function openNotes(file = join(makeDirectory(), 'notes.db')): Promise<Engine<Notes>> {
  const writer = await openConnection(file, 'FULL');
  writer.exec(
    'CREATE TABLE IF NOT EXISTS notes (note_id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT',
  );
  const engine = createSqliteEngine<Notes>({
    writer,
    reader: openReader(file),
    instance: ids.build('instance_'),
    presence: createPresence(join(dirname(file), 'processes')),
    clock: createTestClock(),
  });
  onTestFinished(() => engine.close());
  return engine;
}

const add = (trx: Transaction<Notes>, text: string) => trx.insertInto('notes').values({ text }).execute();
const list = async (trx: Transaction<Notes>): Promise<string[]> =>
  (await trx.selectFrom('notes').select('text').orderBy('note_id').execute()).map(({ text }) => text);

describe('the SQLite engine', () => {
  it('commits all writes of a transaction or none', async () => {
    const engine = await openNotes();
    await engine.write(async (trx) => {
      await add(trx, 'one');
      await add(trx, 'two');
    });
    const failing = engine.write(async (trx) => {
      await add(trx, 'three');
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect(await engine.read(list)).toEqual(['one', 'two']);
  });

  it('reads from one snapshot while another process writes', async () => {
    const engine = await openNotes();
    const reading = await engine.read(async (trx) => {
      const before = await list(trx);
      await engine.write((other) => add(other, 'meanwhile'));
      return { before, after: await list(trx) };
    });

    expect(reading).toEqual({ before: [], after: [] });
    expect(await engine.read(list)).toEqual(['meanwhile']);
  });

  it('refuses writes in a read-only transaction', async () => {
    const engine = await openNotes();

    await expect(engine.read((trx) => add(trx, 'one'))).rejects.toThrow(
      'attempt to write a readonly database',
    );
    expect(await engine.read(list)).toEqual([]);
  });

  it('runs writes in the order they were requested', async () => {
    const engine = await openNotes();
    const texts = Array.from({ length: 20 }, (_, n) => `note ${n}`);
    await Promise.all(texts.map((text) => engine.write((trx) => add(trx, text))));

    expect(await engine.read(list)).toEqual(texts);
  });

  it('loses no write when two engines read before they write', async () => {
    const first = await openNotes();
    const file = await findFile(first);
    const second = await openNotes(file);
    const addNext = (engine: Engine<Notes>) =>
      engine.write(async (trx) => add(trx, `note ${(await list(trx)).length}`));
    await Promise.all(Array.from({ length: 20 }, (_, n) => addNext(n % 2 === 0 ? first : second)));

    expect(await first.read(list)).toEqual(Array.from({ length: 20 }, (_, n) => `note ${n}`));
  });

  it('refuses statements after the transaction has rolled back by itself', async () => {
    const engine = await openNotes();
    const ending = engine.write(async (trx) => {
      await add(trx, 'lost');
      // Simulates a full disk.
      await sql`ROLLBACK`.execute(trx);
      await add(trx, 'alone');
    });

    await expect(ending).rejects.toThrow('the transaction is over');
    expect(await engine.read(list)).toEqual([]);
  });

  it('distinguishes a duplicate key from other failures', async () => {
    const engine = await openNotes();
    await engine.write((trx) => add(trx, 'one'));
    const failures = ['one', null as unknown as string].map((text) =>
      engine.write((trx) => add(trx, text)).catch((error: unknown) => engine.isDuplicate(error)),
    );

    expect(await Promise.all(failures)).toEqual([true, false]);
  });

  it('returns the time of its clock as sortable text', async () => {
    const engine = await openNotes();

    expect(await engine.write((trx) => engine.now(trx))).toBe(START);
    expect(shiftTime(START, 1500)).toBe('2026-11-20T10:00:01.500Z');
  });

  it('reports which processes are running', async () => {
    const first = await openNotes();
    const second = await openNotes(await findFile(first));
    expect([await first.isAlive(first.instance), await first.isAlive(second.instance)]).toEqual([true, true]);
    await second.close();

    expect([await first.isAlive(second.instance), await first.isAlive('none')]).toEqual([false, false]);
  });
});

async function findFile(engine: Engine<Notes>): Promise<string> {
  const { rows } = await engine.read((trx) => sql<{ file: string }>`PRAGMA database_list`.execute(trx));
  return rows[0]?.file ?? '';
}
