import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTwoAccounts, makeDirectory, openWorld } from '../world.js';

describe('an encrypted continuation', () => {
  it('is accepted for its account by every process on the data directory', async () => {
    const data_dir = join(makeDirectory(), 'data');
    const { store } = await openWorld({ data_dir });
    const { mine, other } = await createTwoAccounts(store);
    const beside = await openWorld({ data_dir });
    const { sealed, expires_at } = await store.continuations.seal(mine, 'the answer is yes', 60_000);

    expect(sealed).toMatch(/^[\w-]+$/);
    expect(Buffer.from(sealed, 'base64url').includes('answer')).toBe(false);
    expect(expires_at).toBe('2026-11-20T10:01:00.000Z');
    const unsealed = { text: 'the answer is yes', expires_at };
    const unseal = () => beside.store.continuations.unseal(mine, sealed);
    expect(await unseal()).toEqual({ ...unsealed, left_ms: 60_000 });
    beside.clock.advance(60_000);
    expect(await unseal()).toEqual({ ...unsealed, left_ms: 0 });
    expect(await store.continuations.unseal(other, sealed)).toBeUndefined();
  });

  it('is rejected if it was changed, lengthened, encoded differently, or made in another folder', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const { sealed } = await store.continuations.seal(mine, 'text', 60_000);
    const elsewhere = await openWorld();
    const changed = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;

    for (const text of [
      '',
      'x',
      changed,
      `${sealed}-TAMPERED`,
      `${sealed}=`,
      `${sealed} `,
      sealed.slice(1),
    ]) {
      expect([text, await store.continuations.unseal(mine, text)]).toEqual([text, undefined]);
    }
    expect(await elsewhere.store.continuations.unseal(mine, sealed)).toBeUndefined();
  });
});

describe('taking a continuation', () => {
  it('succeeds once across all processes, and once for each account', async () => {
    const data_dir = join(makeDirectory(), 'data');
    const { store } = await openWorld({ data_dir });
    const { mine, other } = await createTwoAccounts(store);
    const beside = await openWorld({ data_dir });
    const takers = [store, beside.store, store, beside.store];
    const outcomes = await Promise.all(takers.map((taker) => taker.continuations.take(mine, 'one', 60_000)));

    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await store.continuations.take(other, 'one', 60_000)).toBe(true);
    expect(await store.continuations.take(mine, 'two', 60_000)).toBe(true);
  });

  it('is forgotten after its time is over', async () => {
    const { store, clock } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);

    expect(await store.continuations.take(mine, 'one', 1_000)).toBe(true);
    expect(await store.continuations.take(mine, 'one', 1_000)).toBe(false);
    expect(await store.continuations.isTaken(mine, 'one')).toBe(true);
    expect(await store.continuations.isTaken(other, 'one')).toBe(false);
    clock.advance(1_000);
    expect(await store.continuations.isTaken(mine, 'one')).toBe(false);
    expect(await store.continuations.take(mine, 'one', 60_000)).toBe(true);
  });
});
