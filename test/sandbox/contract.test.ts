import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPng, CLAY, CLAY_READINESS, fileParts, imageParts, MUG, openRig } from './harness.js';
import type { Reply, Rig } from './harness.js';

/** The marketplace's published document is kept beside the project, not in it. */
const DOCUMENT = new URL('../../../shared/marketplace/openapi.json', import.meta.url);

type Json = Record<string, unknown>;
type Operation = {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
};

describe.skipIf(!existsSync(DOCUMENT))('answers against the published document (skipped without it)', () => {
  let rig: Rig;
  let validators: Map<string, ValidateFunction>;
  let listing_id: number;
  const seen = new Set<string>();

  beforeAll(async () => {
    const document: Document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
    validators = compile(document);
    rig = await openRig();
    await rig.control('POST', '/settings', { image_processing_ms: 0 });
    listing_id = await rig.createMug({
      tags: 'mug',
      return_policy_id: '1142500101',
      production_partner_ids: '4410221',
    });
  });
  afterAll(() => rig.sandbox.close());

  const hold = (operation: string, reply: Reply) => {
    const validate = validators.get(`${operation} ${reply.status}`);
    if (!validate)
      throw new Error(`${operation} documents no ${reply.status}: ${JSON.stringify(reply.body)}`);
    validate(reply.body);
    expect({ operation, errors: validate.errors ?? [] }).toEqual({ operation, errors: [] });
    seen.add(operation);
  };
  const shop = `/shops/${CLAY.shop_id}`;

  it('of what a shop has', async () => {
    expect(validators.size).toBeGreaterThan(100);
    const gets: [string, string][] = [
      ['ping', '/openapi-ping'],
      ['getMe', '/users/me'],
      ['getUser', `/users/${CLAY.user_id}`],
      ['getShopByOwnerUserId', `/users/${CLAY.user_id}/shops`],
      ['getShop', shop],
      ['findShops', '/shops?shop_name=clay'],
      ['getShopSections', `${shop}/sections`],
      ['getShopSection', `${shop}/sections/40118201`],
      ['getShopShippingProfiles', `${shop}/shipping-profiles`],
      ['getShopShippingProfile', `${shop}/shipping-profiles/211740301`],
      ['getShopReadinessStateDefinitions', `${shop}/readiness-state-definitions`],
      ['getShopReadinessStateDefinition', `${shop}/readiness-state-definitions/${CLAY_READINESS}`],
      ['getShopReturnPolicies', `${shop}/policies/return`],
      ['getShopReturnPolicy', `${shop}/policies/return/1142500101`],
      ['getShopProductionPartners', `${shop}/production-partners`],
      ['getSellerTaxonomyNodes', '/seller-taxonomy/nodes'],
      ['getPropertiesByTaxonomyId', '/seller-taxonomy/nodes/1062/properties'],
      ['getShopReceipts', `${shop}/receipts`],
      ['findAllListingsActive', '/listings/active?keywords=mug'],
      ['findAllActiveListingsByShop', `${shop}/listings/active`],
      ['getListingsByShopSectionId', `${shop}/shop-sections/listings?shop_section_ids=40118201`],
      ['getListingsByShopReturnPolicy', `${shop}/policies/return/1142500101/listings`],
    ];
    for (const [operation, path] of gets) hold(operation, await rig.call('GET', path));
    const receipts = await rig.call('GET', `${shop}/receipts`);
    const receipt = `${shop}/receipts/${receipts.body.results[0].receipt_id}`;
    hold('getShopReceipt', await rig.call('GET', receipt));
    hold('getShopReceiptTransactionsByReceipt', await rig.call('GET', `${receipt}/transactions`));
    hold(
      'createReceiptShipment',
      await rig.call('POST', `${receipt}/tracking`, { json: { tracking_code: 'x' } }),
    );
    const { body: made } = await rig.control('POST', '/receipts', {
      shop_id: CLAY.shop_id,
      gift_message: 'Hi',
    });
    await rig.control('POST', '/receipts', { receipt_id: made.receipt_id, is_canceled: true });
    hold('getShopReceipt', await rig.call('GET', `${shop}/receipts/${made.receipt_id}`));
    hold('createShopSection', await rig.call('POST', `${shop}/sections`, { form: { title: 'New' } }));
    const form = { readiness_state: 'made_to_order', min_processing_time: '2', max_processing_time: '3' };
    hold(
      'createShopReadinessStateDefinition',
      await rig.call('POST', `${shop}/readiness-state-definitions`, { form }),
    );
    hold(
      'createShopReadinessStateDefinition',
      await rig.call('POST', `${shop}/readiness-state-definitions`, { form }),
    );
    hold('updateShop', await rig.call('PUT', shop, { form: { announcement: 'Hello' } }));
  });

  it('of a listing through its life', async () => {
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
    hold(
      'getListingProduct',
      await rig.call('GET', `/listings/${listing_id}/inventory/products/${product.product_id}`),
    );
    hold(
      'getListingOffering',
      await rig.call(
        'GET',
        `/listings/${listing_id}/products/${product.product_id}/offerings/${product.offerings[0].offering_id}`,
      ),
    );
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
    hold('updateListing', await rig.call('PATCH', own, { form: { state: 'active' } }));

    const everything = 'Images,Shop,User,Translations,Videos,Personalization,BuyerPrice';
    const gets: [string, string][] = [
      ['getListing', `/listings/${listing_id}`],
      ['getListing', `/listings/${listing_id}?includes=${everything}&buyer_country=DE`],
      ['getListingsByListingIds', `/listings/batch?listing_ids=${listing_id},1&includes=Images`],
      ['getListingsInventoryByListingIds', `/listings/batch/inventory?listing_ids=${listing_id}`],
      ['getListingsShippingByListingIds', `/listings/batch/shipping?listing_ids=${listing_id}`],
      ['getListingsByShop', `${shop}/listings?state=active&includes=Shipping,Inventory,Images`],
      ['getListingsByShop', `${shop}/listings?state=draft`],
      ['getListingInventory', `/listings/${listing_id}/inventory?includes=Listing`],
      ['getListingImages', `/listings/${listing_id}/images`],
      ['getListingImage', `/listings/${listing_id}/images/${listing_image_id}`],
      ['getListingVariationImages', `${own}/variation-images`],
      ['getListingProperties', `${own}/properties`],
      ['getListingProperty', `/listings/${listing_id}/properties/185`],
      ['getListingPersonalization', `/listings/${listing_id}/personalization`],
      ['getListingVideos', `/listings/${listing_id}/videos`],
      ['getListingVideo', `/listings/${listing_id}/videos/${video.body.video_id}`],
      ['getListingTranslation', `${own}/translations/de`],
    ];
    for (const [operation, path] of gets) hold(operation, await rig.call('GET', path));
    const file = await rig.call('POST', `${own}/files`, {
      parts: fileParts('file', Buffer.from('%PDF'), 'a.pdf', { name: 'a.pdf' }),
    });
    hold('uploadListingFile', file);
    hold('getAllListingFiles', await rig.call('GET', `${own}/files`));
    hold('getListingFile', await rig.call('GET', `${own}/files/${file.body.listing_file_id}`));
    expect(seen.size).toBeGreaterThan(50);
  });
});

/** One validator per operation and status. Every documented field must be there, and no other. */
function compile(document: Document): Map<string, ValidateFunction> {
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema(adaptSchema(schema), `#/components/schemas/${name}`);
  }
  const validators = new Map<string, ValidateFunction>();
  for (const methods of Object.values(document.paths)) {
    for (const { operationId, responses } of Object.values(methods)) {
      for (const [status, response] of Object.entries(responses)) {
        const schema = response.content?.['application/json']?.schema;
        if (schema) validators.set(`${operationId} ${status}`, ajv.compile(adaptSchema(schema)));
      }
    }
  }
  return validators;
}

// OpenAPI 3.0 says nullable where JSON Schema has a null type, and its enums leave the null out.
function adaptSchema(schema: Json): Json {
  const { nullable, properties, description: _words, format: _format, default: _default, ...rest } = schema;
  const adapted: Json = Object.fromEntries(
    Object.entries(rest).map(([name, part]) => [name, name === 'enum' ? part : adapt(part)]),
  );
  if (isJson(properties) && Object.keys(properties).length > 0) {
    adapted.properties = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, adapt(part)]),
    );
    // The listing beside an inventory is there only when it is asked for.
    adapted.required = Object.keys(properties).filter((name) => name !== 'listing');
    adapted.additionalProperties = false;
  }
  return nullable === true ? { anyOf: [{ type: 'null' }, adapted] } : adapted;
}

function adapt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(adapt);
  return isJson(value) ? adaptSchema(value) : value;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
