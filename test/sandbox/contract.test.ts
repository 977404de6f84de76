import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/sandbox/endpoints.js';
import { buildPng, CLAY, CLAY_READINESS, fileParts, imageParts, KEY, MUG, NORD, openRig } from './harness.js';
import type { Reply, Rig, Sent } from './harness.js';
import { KNOWN_DIFFERENCES, type Found } from './known_differences.js';
import { listPublished } from '../published/table.js';
import { readPublishedAnswers } from './published_answers.js';

const PUBLISHED = listPublished().map(({ document }) => readPublishedAnswers(document));

describe("answers compared with the marketplace's published document", () => {
  let rig: Rig;
  let listing_id: number;
  let answers = 0;
  const succeeded = new Set<string>();
  const found: Found[] = [];

  beforeAll(async () => {
    rig = await openRig();
    // The product-safety fields are newer than the document.
    await rig.control('POST', '/settings', { image_processing_ms: 0, shows_gpsr: false });
    listing_id = await rig.createMug({
      tags: 'mug',
      return_policy_id: '1142500101',
      production_partner_ids: '4410221',
    });
  });
  afterAll(() => rig.sandbox.close());

  const hold = (operation: string, reply: Reply) => {
    answers += 1;
    if (reply.status < 300) succeeded.add(operation);
    const problems = PUBLISHED.flatMap((published) => published.findProblems(operation, reply));
    for (const problem of problems) found.push({ operation, status: reply.status, problem });
  };
  const listUnexplained = () =>
    found.filter((difference) => !KNOWN_DIFFERENCES.some(({ explains }) => explains(difference)));
  const shop = `/shops/${CLAY.shop_id}`;

  it("agree for a shop's settings", async () => {
    const gets: [string, string][] = [
      ['ping', '/openapi-ping'],
      ['getMe', '/users/me'],
      ['getShop', shop],
      ['getShopSections', `${shop}/sections`],
      ['getShopShippingProfiles', `${shop}/shipping-profiles`],
      ['getShopReadinessStateDefinitions', `${shop}/readiness-state-definitions`],
      ['getShopReturnPolicies', `${shop}/policies/return`],
      ['getShopProductionPartners', `${shop}/production-partners`],
      ['getSellerTaxonomyNodes', '/seller-taxonomy/nodes'],
      ['getPropertiesByTaxonomyId', '/seller-taxonomy/nodes/1062/properties'],
      ['getShopReceipts', `${shop}/receipts`],
      ['findAllListingsActive', '/listings/active?keywords=mug'],
    ];
    for (const [operation, path] of gets) hold(operation, await rig.call('GET', path));
    const receipts = await rig.call('GET', `${shop}/receipts`);
    const receipt = `${shop}/receipts/${receipts.body.results[0].receipt_id}`;
    hold('getShopReceipt', await rig.call('GET', receipt));
    const { body: made } = await rig.control('POST', '/receipts', {
      shop_id: CLAY.shop_id,
      gift_message: 'Hi',
    });
    await rig.control('POST', '/receipts', { receipt_id: made.receipt_id, is_canceled: true });
    hold('getShopReceipt', await rig.call('GET', `${shop}/receipts/${made.receipt_id}`));
    hold('tokenScopes', await rig.call('POST', '/scopes', { form: { token: rig.token } }));
    expect(listUnexplained()).toEqual([]);
  });

  it('agree for a listing through its life', async () => {
    const own = `${shop}/listings/${listing_id}`;
    hold('createDraftListing', await rig.call('POST', `${shop}/listings`, { form: { ...MUG } }));
    hold('createDraftListing', await rig.call('POST', `${shop}/listings`, { form: { ...MUG, price: '0' } }));
    const image = await rig.call('POST', `${own}/images`, { parts: imageParts(buildPng(1)) });
    hold('uploadListingImage', image);
    const { listing_image_id } = image.body;
    const values = [{ property_id: 513, property_name: 'Glaze', value_ids: [], values: ['Sand'] }];
    const offerings = [{ price: 12, quantity: 2, is_enabled: true, readiness_state_id: CLAY_READINESS }];
    const inventory = await rig.call('PUT', `/listings/${listing_id}/inventory`, {
      json: { products: [{ sku: 'A', property_values: values, offerings }] },
    });
    hold('updateListingInventory', inventory);
    const product = inventory.body.products[0];
    const value_id = product.property_values[0].value_ids[0];
    const variation_images = [{ property_id: 513, value_id, image_id: listing_image_id }];
    hold(
      'updateVariationImages',
      await rig.call('POST', `${own}/variation-images`, { json: { variation_images } }),
    );
    const attribute = { value_ids: '5203', values: '12', scale_id: '331' };
    hold('updateListingProperty', await rig.call('PUT', `${own}/properties/185`, { form: attribute }));
    const question = {
      question_text: 'Name',
      question_type: 'text_input',
      required: false,
      max_allowed_characters: 9,
      add_on_price: 2,
    };
    hold(
      'updateListingPersonalization',
      await rig.call('POST', `${own}/personalization`, { json: { personalization_questions: [question] } }),
    );
    const movie = fileParts('video', Buffer.from('\0\0\0\x10ftypisom'), 'a.mp4', { name: 'a.mp4' });
    const video = await rig.call('POST', `${own}/videos`, { parts: movie });
    hold('uploadListingVideo', video);
    const words = { title: 'Becher', description: 'Ein Becher' };
    hold('createListingTranslation', await rig.call('POST', `${own}/translations/de`, { form: words }));
    hold('updateListingTranslation', await rig.call('PUT', `${own}/translations/de`, { form: words }));
    hold('updateListing', await rig.call('PATCH', own, { form: { state: 'active' } }));
    hold('updateListing', await rig.call('PATCH', own, { form: { image_ids: String(listing_image_id) } }));
    hold('createListingTranslation', await rig.call('POST', `${own}/translations/de`, { form: words }));

    const everything = 'Images,Shop,User,Translations,Videos,Personalization,BuyerPrice';
    const gets: [string, string][] = [
      ['getListing', `/listings/${listing_id}`],
      ['getListing', `/listings/${listing_id}?includes=${everything}&buyer_country=DE`],
      ['getListingsByListingIds', `/listings/batch?listing_ids=${listing_id},1&includes=Images`],
      ['getListingsInventoryByListingIds', `/listings/batch/inventory?listing_ids=${listing_id}`],
      ['getListingsByShop', `${shop}/listings?state=active&includes=Shipping,Inventory,Images`],
      ['getListingsByShop', `${shop}/listings?state=draft`],
      ['getListingInventory', `/listings/${listing_id}/inventory?includes=Listing`],
      ['getListingImages', `/listings/${listing_id}/images`],
      ['getListingVariationImages', `${own}/variation-images`],
      ['getListingProperties', `${own}/properties`],
      ['getListingVideos', `/listings/${listing_id}/videos`],
    ];
    for (const [operation, path] of gets) hold(operation, await rig.call('GET', path));
    const made = await rig.control('POST', '/listings', { shop_id: CLAY.shop_id });
    const manual: number = made.body.listing_ids[0];
    for (const state of ['active', 'inactive', 'sold_out', 'expired']) {
      await rig.control('POST', `/listings/${manual}/state`, { state });
      hold('getListing', await rig.call('GET', `/listings/${manual}?includes=${everything}`));
      hold(
        'getListingsByShop',
        await rig.call('GET', `${shop}/listings?state=${state}&includes=${everything}`),
      );
      hold('getListingInventory', await rig.call('GET', `/listings/${manual}/inventory?includes=Listing`));
    }
    const file = await rig.call('POST', `${own}/files`, {
      parts: fileParts('file', Buffer.from('%PDF'), 'a.pdf', { name: 'a.pdf' }),
    });
    hold('uploadListingFile', file);
    hold('getAllListingFiles', await rig.call('GET', `${own}/files`));
    hold('deleteListingFile', await rig.call('DELETE', `${own}/files/${file.body.listing_file_id}`));
    hold('deleteListingVideo', await rig.call('DELETE', `${own}/videos/${video.body.video_id}`));
    hold('deleteListingProperty', await rig.call('DELETE', `${own}/properties/185`));
    hold('deleteListingPersonalization', await rig.call('DELETE', `${own}/personalization`));
    hold('deleteListingImage', await rig.call('DELETE', `${own}/images/${listing_image_id}`));
    hold('deleteListing', await rig.call('DELETE', `/listings/${listing_id}`));
    expect(listUnexplained()).toEqual([]);
  });

  it('agree for every error that any operation can return', async () => {
    const unscoped = rig.sandbox.issueGrant(CLAY.user_id, ['address_r']).access_token;
    const circumstances: { headers: Record<string, string>; shop_id?: number }[] = [
      { headers: { 'x-api-key': '' } },
      { headers: { 'x-api-key': KEY.split(':')[0] ?? '' } },
      { headers: { 'x-api-key': 'another:secret' } },
      { headers: { authorization: '' } },
      { headers: { authorization: 'Bearer 1.unknown' } },
      { headers: { authorization: `Bearer ${unscoped}` } },
      // With valid credentials, but with unknown ids and without the body's required fields.
      { headers: {} },
      { headers: {}, shop_id: NORD.shop_id },
    ];
    for (const { headers, shop_id = CLAY.shop_id } of circumstances) {
      for (const route of ROUTES) hold(route.operation, await callEmpty(route, headers, shop_id));
    }
    const bad_search = await rig.call('GET', '/listings/active?keywords=mug&limit=1000');
    hold('findAllListingsActive', bad_search);
    const bad_tags = { form: { ...MUG, tags: '["mug"]' } };
    hold('createDraftListing', await rig.call('POST', `${shop}/listings`, bad_tags));
    await rig.control('POST', '/settings', { rate_per_second: 1 });
    for (const route of ROUTES) hold(route.operation, await callEmpty(route, {}, CLAY.shop_id));
    expect(listUnexplained()).toEqual([]);
  });

  it('differ only where the real marketplace is known to differ, and every operation of the sandbox was answered', () => {
    expect(listUnexplained()).toEqual([]);
    const stale = KNOWN_DIFFERENCES.filter(({ explains }) => !found.some(explains)).map(({ what }) => what);
    expect(stale).toEqual([]);
    const operations = ROUTES.map(({ operation }) => operation);
    expect(operations.filter((operation) => !succeeded.has(operation))).toEqual([]);
    process.stdout.write(
      `contract: ${answers} answers of ${succeeded.size} operations held against ${PUBLISHED.map(({ count }) => count).join(' and ')} published ones; ` +
        `${found.length} differences, explained by ${KNOWN_DIFFERENCES.length} known ones\n`,
    );
  });

  function callEmpty(
    route: (typeof ROUTES)[number],
    headers: Record<string, string>,
    shop_id: number,
  ): Promise<Reply> {
    const path = route.path
      .replace(':shop_id', String(shop_id))
      .replace(':language', 'de')
      .replaceAll(/:\w+/g, '1');
    const empty = { form: { form: {} }, json: { json: {} }, multipart: { parts: new FormData() } } as const;
    const body: Sent = route.body ? empty[route.body] : {};
    return rig.call(route.method, path, { ...body, headers });
  }
});
