import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConversations, type Conversations } from '../../../src/core/operations/conversations.js';
import type { ConversationRef, Store } from '../../../src/core/ports/index.js';
import { openStore } from '../../../src/store/index.js';
import { systemRandomness } from '../../../src/world/randomness.js';
import { getDatabase, removeDatabase } from '../../postgres/world.js';
import { createTestClock, createTestIds, createTestLog, type TestClock } from '../../store/ports.js';

/* Two instances on one database. */

const MAX_PER_ACCOUNT = 250;
const MINUTE_MS = 60_000;

let data_dir: string;
let clock: TestClock;
let stores: [Store, Store];
let here: Conversations;
let there: Conversations;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'conversations-'));
  clock = createTestClock();
  const world = { clock, ids: createTestIds(), randomness: systemRandomness, log: createTestLog() };
  const url = await getDatabase(data_dir);
  const database = url === undefined ? undefined : { url, max_connections: 5, clock };
  const open = () => openStore({ data_dir, ...world, database });
  stores = [await open(), await open()];
  here = createConversations({ store: stores[0], ...world });
  there = createConversations({ store: stores[1], ...world });
});

afterAll(async () => {
  for (const store of stores) await store.close();
  await removeDatabase(data_dir);
  await rm(data_dir, { recursive: true });
});

async function begin(facts: unknown = {}): Promise<ConversationRef> {
  const { account_id } = await stores[0].accounts.createAccount(`account ${createTestIds().build('')}`);
  return { account_id, conversation_id: await here.begin(account_id, facts) };
}

describe('a conversation', () => {
  it('goes on at another instance, with what its client told, for its own account alone', async () => {
    const ref = await begin({ version: '1' });
    expect((await there.find(ref))?.facts).toEqual({ version: '1' });
    const other = await begin();
    expect(await there.find({ ...ref, account_id: other.account_id })).toBeUndefined();
    await there.end(ref);
    expect(await here.find(ref)).toBeUndefined();
    expect(await here.look([ref, other])).toEqual({ gone: [ref], messages: [] });
  });

  it('ends after half an hour without use of any kind', async () => {
    const [idle, used, answering] = [await begin(), await begin(), await begin()];
    clock.advance(29 * MINUTE_MS);
    await there.find(used);
    await there.look([answering]);
    clock.advance(2 * MINUTE_MS);
    expect(await here.find(idle)).toBeUndefined();
    expect(await here.find(used)).toBeDefined();
    expect(await here.find(answering)).toBeDefined();
  });

  it('that answers something stays while its account begins many others', async () => {
    const answering = await begin();
    for (let n = 0; n < 5; n += 1) {
      clock.advance(10_000);
      await there.look([answering]);
      for (let other = 0; other < 60; other += 1) await here.begin(answering.account_id, {});
    }
    expect((await there.look([answering])).gone).toEqual([]);
  });

  it('makes room for newer ones of its account, the least recently used first', async () => {
    const first = await begin();
    const { account_id } = first;
    const quiet = await begin();
    const second = { account_id, conversation_id: await here.begin(account_id, {}) };
    clock.advance(2 * MINUTE_MS);
    await here.find(first);
    for (let index = 0; index < MAX_PER_ACCOUNT - 1; index += 1) await here.begin(account_id, {});
    expect(await here.find(first)).toBeDefined();
    expect(await here.find(second)).toBeUndefined();
    expect(await here.find(quiet)).toBeDefined();
  });
});

describe('a message', () => {
  it('is taken once over all instances', async () => {
    const ref = await begin();
    await there.leave(ref, { id: 1 });
    const seen = await Promise.all([here.look([ref]), there.look([ref])]);
    const left = seen.flatMap(({ messages }) => messages);
    expect(left.map(({ message }) => message)).toEqual([{ id: 1 }, { id: 1 }]);
    expect(
      (await Promise.all(left.map((each) => each.take()))).toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual([false, true]);
    expect((await here.look([ref])).messages).toEqual([]);
  });

  it('tells whether it came after a request that was found', async () => {
    const ref = await begin();
    await there.leave(ref, 'before');
    clock.advance(1);
    const found = await here.find(ref);
    clock.advance(1);
    await there.leave(ref, 'after');
    const { messages } = await here.look([ref]);
    const at = found?.found_at ?? '';
    expect(messages.map(({ message, left_at }) => [message, left_at > at])).toEqual([
      ['before', false],
      ['after', true],
    ]);
  });

  it('is kept for a minute, with twenty at most, and of no conversation that has ended', async () => {
    const ref = await begin();
    for (let index = 0; index < 30; index += 1) await there.leave(ref, index);
    expect((await here.look([ref])).messages).toHaveLength(20);
    clock.advance(MINUTE_MS);
    await there.leave(ref, 'new');
    expect((await here.look([ref])).messages.map(({ message }) => message)).toEqual(['new']);
    await here.end(ref);
    await there.leave(ref, 'late');
    expect((await here.look([ref])).messages).toEqual([]);
  });
});
