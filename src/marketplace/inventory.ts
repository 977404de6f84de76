import type { Marketplace } from '../core/ports/index.js';
import type { Send } from './call.js';
import { encodeForm, encodeJson } from './encode.js';
import { toInventory, toInventoryBody } from './map/inventory.js';
import { createReader, toNumberOrNull } from './map/read.js';
import { decodeEntities } from './map/text.js';

type InventoryCalls = Pick<
  Marketplace,
  | 'updateInventory'
  | 'getInventory'
  | 'updateAttribute'
  | 'listAttributes'
  | 'updateVariationImages'
  | 'updatePersonalization'
>;

/** The one question a listing asks; the interface knows no other kind. */
const QUESTION = 'Personalization';

export function createInventoryCalls(send: Send): InventoryCalls {
  const read = createReader(false);
  const written = createReader(true);
  return {
    async updateInventory(shop, listing_id, inventory, options) {
      const body = encodeJson(toInventoryBody(inventory));
      const answer = await send({
        operation_id: 'updateListingInventory',
        shop,
        path: { listing_id },
        body,
        options,
      });
      return toInventory(written, answer);
    },
    async getInventory(shop, listing_id, options) {
      return toInventory(
        read,
        await send({ operation_id: 'getListingInventory', shop, path: { listing_id }, options }),
      );
    },
    async updateAttribute(shop, listing_id, { property_id, value_ids, values, scale_id }, options) {
      const body = encodeForm({ value_ids, values, scale_id });
      await send({
        operation_id: 'updateListingProperty',
        shop,
        path: { listing_id, property_id },
        body,
        options,
      });
    },
    async listAttributes(shop, listing_id, options) {
      const answer = await send({
        operation_id: 'getListingProperties',
        shop,
        path: { listing_id },
        options,
      });
      return read.results(answer).map((wire) => ({
        property_id: read.number(wire, 'property_id'),
        value_ids: read.numbers(wire, 'value_ids'),
        values: read.strings(wire, 'values').map(decodeEntities),
        scale_id: toNumberOrNull(wire['scale_id']) ?? undefined,
      }));
    },
    async updateVariationImages(shop, listing_id, variation_images, options) {
      const body = encodeJson({ variation_images });
      await send({ operation_id: 'updateVariationImages', shop, path: { listing_id }, body, options });
    },
    async updatePersonalization(shop, listing_id, { is_required, instructions, max_chars }, options) {
      const question = {
        question_text: QUESTION,
        question_type: 'text_input',
        instructions,
        required: is_required,
        max_allowed_characters: max_chars,
      };
      await send({
        operation_id: 'updateListingPersonalization',
        shop,
        path: { listing_id },
        // Without it the marketplace refuses to replace what is there.
        query: { supports_multiple_personalization_questions: true },
        body: encodeJson({ personalization_questions: [question] }),
        options,
      });
    },
  };
}
