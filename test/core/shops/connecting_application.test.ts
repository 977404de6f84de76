import { beforeEach, describe, expect, it } from 'vitest';
import { createConnecting, type Connecting } from '../../../src/core/shops/connecting.js';
import { SANDBOX_APP } from '../../../src/sandbox/index.js';
import { openConsentPage, readAnswer } from '../../consent.js';
import { CLAY, NORD } from '../../sandbox/harness.js';
import { openShopWorld, type ShopWorld } from '../shop_world.js';

const OWN = { keystring: 'own0key', shared_secret: 'own0secret' };
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

let world: ShopWorld;
let connecting: Connecting;
let account_id: string;
const open = async (own?: { keystring: string; shared_secret: string }) => {
  world = await openShopWorld({ own });
  ({ account_id } = world);
  connecting = createConnecting(world.ports, world.shops, { base_url: 'http://127.0.0.1:3000' });
  await world.control('/applications', { ...OWN, user_id: CLAY.user_id });
};
beforeEach(() => open());

type Begin = Parameters<Connecting['begin']>[1];

async function connect(user_id: number, options: Begin = {}) {
  const { consent_url } = await connecting.begin(account_id, options);
  const client_id = new URL(consent_url).searchParams.get('client_id');
  const page = await openConsentPage(consent_url);
  const { outcome } = await connecting.finish(readAnswer(await page.submit({ user_id })));
  return { client_id, outcome };
}

const findApplication = (shop_id: number) =>
  world.store.applications.findShopApplication({ account_id, shop_id });

describe('the application of a shop', () => {
  it('is required if the installation has none, and is then used for the shop', async () => {
    expect(await connecting.isApplicationNeeded(account_id)).toBe(true);
    await expect(connecting.begin(account_id)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: "The keystring and shared secret of the shop's application are required.",
      hint: expect.stringContaining('etsy.com/developers/your-apps'),
    });
    const application = { ...OWN, webhook_secret: WEBHOOK_SECRET };
    const { client_id, outcome } = await connect(CLAY.user_id, { application });
    expect([client_id, outcome]).toEqual([OWN.keystring, expect.objectContaining({ ok: true })]);
    expect(await findApplication(CLAY.shop_id)).toEqual(application);
  });

  it('stays when the shop is connected again, as long as the marketplace accepts it', async () => {
    await connect(CLAY.user_id, { application: OWN });
    const again = { shop_id: CLAY.shop_id };
    expect(await connecting.isApplicationNeeded(account_id, CLAY.shop_id)).toBe(false);
    const { client_id, outcome } = await connect(CLAY.user_id, again);
    expect([client_id, outcome]).toEqual([
      OWN.keystring,
      expect.objectContaining({ ok: true, is_known: true }),
    ]);
    await world.control('/applications', { keystring: OWN.keystring, is_revoked: true });
    expect(await connecting.isApplicationNeeded(account_id, CLAY.shop_id)).toBe(true);
    await expect(connecting.begin(account_id, again)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('may be named without its secret by the account that registered it, and by no other', async () => {
    await connect(CLAY.user_id, { application: OWN });
    await world.control('/applications', { keystring: OWN.keystring, user_id: NORD.user_id });
    const named = { application: { keystring: OWN.keystring } };
    expect((await connect(NORD.user_id, named)).outcome.ok).toBe(true);
    expect(await findApplication(NORD.shop_id)).toMatchObject(OWN);
    const other = await world.store.accounts.createAccount('other');
    await expect(connecting.begin(other.account_id, named)).rejects.toMatchObject({
      message: 'shared_secret: is required for this application',
    });
  });

  it("is the installation's if there is one and the seller names no other", async () => {
    await open(SANDBOX_APP);
    expect(await connecting.isApplicationNeeded(account_id)).toBe(false);
    expect((await connect(NORD.user_id)).client_id).toBe(SANDBOX_APP.keystring);
    expect(await findApplication(NORD.shop_id)).toBeNull();
    expect((await connect(CLAY.user_id, { application: OWN })).client_id).toBe(OWN.keystring);
    expect(await findApplication(CLAY.shop_id)).toMatchObject(OWN);
    const named = { application: { keystring: SANDBOX_APP.keystring } };
    expect((await connect(NORD.user_id, named)).outcome.ok).toBe(true);
  });

  it('is forgotten if the shop could not be read on its first connection', async () => {
    await world.control('/faults', {
      rules: [{ operation: 'getShopSections', times: 3, action: { type: 'status', status: 503 } }],
    });
    expect((await connect(CLAY.user_id, { application: OWN })).outcome.ok).toBe(false);
    expect(await world.store.applications.listApplications(account_id)).toEqual([]);
  });

  it.each([
    ['a secret in the keystring', { keystring: 'key:secret', shared_secret: 's' }, /contains a colon/],
    ['no keystring', { keystring: ' ', shared_secret: 's' }, /keystring: must be the letters/],
    ['no secret', { keystring: OWN.keystring }, /shared_secret: is required for this application/],
    ['a secret of two words', { ...OWN, shared_secret: 'two words' }, /one word/],
    ['a webhook secret that is none', { ...OWN, webhook_secret: 'pass' }, /whsec_ followed by base64/],
    ['the secret of another', { ...OWN, shared_secret: 'theirs' }, /does not accept this keystring/],
  ])('is refused before the seller is asked for anything: %s', async (_what, application, message) => {
    const refused = connecting.begin(account_id, { application });
    const error = await refused.catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringMatching(message) });
    expect(JSON.stringify(error)).not.toContain('theirs');
  });

  it('is accepted with spaces copied along with it', async () => {
    const application = { keystring: ` ${OWN.keystring}\n`, shared_secret: `\t${OWN.shared_secret} ` };
    expect((await connect(CLAY.user_id, { application })).outcome.ok).toBe(true);
    expect(await findApplication(CLAY.shop_id)).toMatchObject(OWN);
  });
});
