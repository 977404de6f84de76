import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeListings } from '../core/batches/rig.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

const PAGE = '/dashboard/listings';
const MUGS = `${PAGE}?q=mug&sort=title`;

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
  await makeListings(dashboard.service, 1);
});
afterAll(() => dashboard.close());

const filters = () => dashboard.service.app.core.saved_filters;
const send = (path: string, fields: Record<string, string>) => seller.post(path, { do: 'save', ...fields });
const see = async (path = PAGE) => toText((await seller.get(path)).text);

/** The saved filters above the list: "> " before the one in use. */
async function listLinks(path = PAGE, visitor = seller): Promise<string[]> {
  const { text } = await visitor.get(path);
  const nav = /<nav[^>]*aria-label="Saved filters"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
  return [...nav.matchAll(/<a href="([^"]*)"( aria-current="true")?>(.*?)<\/a>/g)].map(
    ([, href = '', current, name = '']) =>
      `${current === undefined ? '' : '> '}${name.replaceAll(/<.?bdi>/g, '')}: ${href.replaceAll('&amp;', '&')}`,
  );
}

afterEach(async () => {
  for (const { account_id, name } of await filters().list(dashboard.account_id)) {
    await filters().remove(account_id, name);
  }
});

describe('saved filters', () => {
  it('can be saved from a filtered list and then appear above every list', async () => {
    expect(await see()).not.toContain('Save this filter');
    expect(await see(MUGS)).toContain('Save this filter');
    const saved = await send(MUGS, { name: ' All mugs ' });
    expect([saved.status, saved.location]).toEqual([303, MUGS]);
    expect(await listLinks()).toEqual([`All mugs: ${MUGS}`]);
    expect(await listLinks(`${MUGS}&offset=0`)).toEqual([`> All mugs: ${MUGS}`]);
    expect(await see(MUGS)).not.toContain('Save this filter');
  });

  it('are replaced, renamed and removed', async () => {
    await send(MUGS, { name: 'Mine' });
    const drafts = `${PAGE}?is=draft`;
    await send(drafts, { name: 'Mine' });
    expect(await listLinks(drafts)).toEqual([`> Mine: ${drafts}`]);
    const { text } = await seller.get(drafts);
    expect(text).toContain('<input type="hidden" name="was" value="Mine"');
    expect(text).toMatch(/<input[^>]* name="name"[^>]* value="Mine"/);
    expect((await send(drafts, { name: 'Drafts', was: 'Mine' })).location).toBe(drafts);
    expect(await listLinks()).toEqual([`Drafts: ${drafts}`]);
    const removed = await send(drafts, { do: 'remove', name: '', was: 'Drafts' });
    expect([removed.status, removed.location]).toEqual([303, drafts]);
    expect((await send(drafts, { do: 'remove', was: 'Drafts' })).status).toBe(303);
    expect(await listLinks()).toEqual([]);
  });

  it('are shown only to their account', async () => {
    await send(MUGS, { name: 'Mine' });
    const { accounts, sessions } = dashboard.service.app.core;
    const { account_id } = await accounts.create('another');
    const other = dashboard.createVisitor();
    await other.post('/dashboard/sign-in', { link: (await sessions.createLink(account_id)).token });
    expect(await listLinks(MUGS, other)).toEqual([]);
    await other.post(MUGS, { do: 'remove', was: 'Mine' });
    await other.post(`${PAGE}?q=bowl`, { do: 'save', name: 'Mine' });
    expect(await listLinks(MUGS, other)).toEqual([`Mine: ${PAGE}?q=bowl`]);
    expect(await listLinks()).toEqual([`Mine: ${MUGS}`]);
  });

  it('show names and words as text', async () => {
    const words = `${PAGE}?${new URLSearchParams({ q: '"><script>alert(1)</script>' })}`;
    await send(words, { name: '"><img src=x>&amp;' });
    const { text } = await seller.get(words);
    expect(text).not.toMatch(/<img src=x|<script>alert/);
    expect(await listLinks()).toEqual([`&quot;>&lt;img src=x>&amp;amp;: ${words}`]);
  });

  it.each(['', '  ', 'x'.repeat(61), 'two\nlines', 'bell\u0007', 'turned\u202eround'])(
    'are not saved under %j: the field says why',
    async (name) => {
      const { status, text } = await send(MUGS, { name });
      expect(status).toBe(400);
      expect(text).toMatch(/<input[^>]* id="name"[^>]* aria-invalid="true"/);
      const shown = toText(text);
      expect(shown).toContain('Use 1 to 60 visible characters');
      expect(shown).toContain('Correct it, and try again.');
      expect(shown).toContain('1 listing Show all');
      expect((await send(MUGS, { name: 'Right', was: `${name}\u0007` })).status).toBe(400);
      expect((await send(MUGS, { do: 'remove', was: name })).status).toBe(400);
      expect(await listLinks()).toEqual([]);
    },
  );

  it('are limited to 20; removing one allows another', async () => {
    for (let n = 10; n < 30; n += 1) {
      await filters().save({ account_id: dashboard.account_id, name: `${n}`, query: `q=${n}` });
    }
    const { status, text } = await send(MUGS, { name: 'One more' });
    expect([status, (await listLinks()).length]).toEqual([400, 20]);
    expect(toText(text)).toContain('You have 20 saved filters, which is the maximum');
    expect(toText(text)).toContain('Open a filter you no longer need and remove it, then save this one.');
    expect(text).toMatch(/<input[^>]* name="name"[^>]* value="One more"/);
    expect((await send(MUGS, { name: '10' })).status).toBe(303);
    expect(await listLinks()).toContain(`10: ${MUGS}`);
  });

  it('drop unknown parts of the query, as every address of the list does', async () => {
    const save = (name: string, query: string) =>
      filters().save({ account_id: dashboard.account_id, name, query });
    await save('Mugs', 'q=mug&is=retired&shop=x&sort=colour&offset=7&x=javascript:');
    await save('Nothing left', 'is=retired');
    const links = [`Mugs: ${PAGE}?q=mug`, `> Nothing left: ${PAGE}`];
    expect(await listLinks()).toEqual(links);
    expect(await see()).toContain('Rename or remove this filter');
    await send(`${PAGE}?q=mug&is=retired&x=1`, { name: 'Mugs' });
    expect(await filters().list(dashboard.account_id)).toContainEqual(
      expect.objectContaining({ name: 'Mugs', query: 'q=mug' }),
    );
  });

  it('show that nothing matches if their shop was disconnected', async () => {
    await send(`${PAGE}?shop=99`, { name: 'Old shop' });
    expect(await see(`${PAGE}?shop=99`)).toContain('No listings match this filter. Show all');
  });
});

it('does not save a filter on a read-only server', async () => {
  const own = await startDashboard({ READ_ONLY: 'on' });
  const reader = await own.signIn();
  const { status, text } = await reader.post(MUGS, { do: 'save', name: 'Mugs' });
  expect([status, text.includes('is read-only')]).toEqual([400, true]);
  expect(await own.service.app.core.saved_filters.list(own.account_id)).toEqual([]);
  await own.close();
});
