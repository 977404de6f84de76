import { describe, expect, it } from 'vitest';
import { createTwoAccounts, openWorld } from '../world.js';

const MOST = { saved_filters: 2 };

async function openFilters() {
  const { store, data_dir } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  const { saved_filters } = store;
  const save = (name: string, query: string, was?: string) =>
    saved_filters.saveFilter({ account_id: mine, name, query }, { ...MOST, was });
  const list = async (account_id = mine) =>
    (await saved_filters.listFilters(account_id)).map(({ name, query }) => `${name}: ${query}`);
  return { saved_filters, data_dir, mine, other, save, list };
}

describe('saved filters', () => {
  it('are listed by name, only to their account, until they are removed', async () => {
    const { saved_filters, mine, other, save, list } = await openFilters();
    await save('Tassen', 'q=mug');
    await save('Becher 🏺', 'is=draft&sort=title');
    await saved_filters.saveFilter({ account_id: other, name: 'Tassen', query: 'q=bowl' }, MOST);
    expect(await list()).toEqual(['Becher 🏺: is=draft&sort=title', 'Tassen: q=mug']);
    expect(await list(other)).toEqual(['Tassen: q=bowl']);
    await saved_filters.deleteFilter(mine, 'Tassen');
    await saved_filters.deleteFilter(mine, 'Never saved');
    expect(await list()).toEqual(['Becher 🏺: is=draft&sort=title']);
    expect(await list(other)).toEqual(['Tassen: q=bowl']);
  });

  it('replace one with the same name and can be renamed, even at the limit', async () => {
    const { save, list } = await openFilters();
    await save('a', 'q=1');
    await save('b', 'q=2');
    await save('b', 'q=3');
    await save('c', 'q=3', 'b');
    expect(await list()).toEqual(['a: q=1', 'c: q=3']);
    await save('c', 'q=3', 'c');
    expect(await list()).toEqual(['a: q=1', 'c: q=3']);
    await save('a', 'q=3', 'c');
    expect(await list()).toEqual(['a: q=3']);
  });

  it('never exceed their limit, even if several are saved at once', async () => {
    const { data_dir, mine, save, list } = await openFilters();
    const { store: elsewhere } = await openWorld({ data_dir });
    const saved = await Promise.allSettled([
      ...['a', 'b'].map((name) => save(name, 'q=1')),
      ...['c', 'd'].map((name) =>
        elsewhere.saved_filters.saveFilter({ account_id: mine, name, query: 'q=1' }, MOST),
      ),
    ]);
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await list()).toHaveLength(2);
    await expect(save('e', 'q=1')).rejects.toMatchObject({ quota: 'saved_filters' });
    await expect(save('e', 'q=1', 'never saved')).rejects.toMatchObject({ quota: 'saved_filters' });
  });
});
