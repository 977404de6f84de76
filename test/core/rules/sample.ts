import { renderLine, writeText } from '../../../src/core/issues/render.js';
import { listingRequest } from '../../../schemas/listing_request.js';
import { checkRules, mergeIssues, withoutFound } from '../../../src/core/listings/rules/index.js';
import { parseInput } from '../../../src/core/operations/parse_input.js';

type Json = Record<string, unknown>;

/** A request with every field of the interface, all valid. */
export function buildPhysical(): Json {
  return {
    state: 'draft',
    shops: [
      {
        shop_id: 1,
        price: 25,
        shipping_profile_id: 2,
        return_policy_id: 3,
        processing_profile_id: 4,
        shop_section_id: 5,
        production_partner_ids: [6],
      },
    ],
    listing: {
      title: 'Mug',
      description: 'A mug.',
      listing_type: 'physical',
      taxonomy_id: 1062,
      price: 24.5,
      quantity: 4,
      who_made: 'i_did',
      when_made: 'made_to_order',
      is_supply: false,
      tags: ['mug'],
      materials: ['clay'],
      styles: ['rustic'],
      sku: 'M-1',
      is_customizable: true,
      is_taxable: true,
      should_auto_renew: false,
      item_weight: 1,
      item_weight_unit: 'kg',
      item_length: 1,
      item_width: 1,
      item_height: 1,
      item_dimensions_unit: 'cm',
      processing_min: 1,
      processing_max: 3,
    },
    images: [{ url: 'https://shop.example/1.jpg', rank: 1 }],
    videos: [{ url: 'https://shop.example/1.mp4' }],
    personalization: { enabled: true, is_required: false, instructions: 'Name', max_chars: 20 },
    category_attributes: { 200: { value_ids: [1], values: ['Beige'], scale_id: 5 } },
    variations: {
      properties: [{ property_id: 513, name: 'Size', scale_id: 5, values: ['S', 'L'] }],
      offerings: [
        { size: 'S', price: 20, quantity: 1, sku: 'S', enabled: true, processing_profile_id: 4 },
        { size: 'L', price: 30, quantity: 2, sku: 'L' },
      ],
      variation_images: { property: 'size', mapping: { S: 0 } },
    },
  };
}

export function buildDigital(): Json {
  const { variations: _, ...request } = buildPhysical();
  Object.assign(request['listing'] as Json, { listing_type: 'digital', when_made: '2020_2026' });
  return { ...request, digital_files: [{ url: 'https://shop.example/1.pdf', name: 'one.pdf' }] };
}

/** The request with one value replaced (undefined removes it) at a path such as `shops[0].price`. */
export function change(request: Json, path: string, value: unknown): Json {
  const copy = structuredClone(request);
  const parts = path.match(/[^.[\]]+/g) ?? [];
  const last = parts.pop() ?? '';
  const target = parts.reduce<Json>((at, part) => at[part] as Json, copy);
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

/** The problems the gate and the rules find in a body, without any look-up: one per line. */
export function listProblems(body: unknown): string[] {
  const parsed = parseInput(listingRequest, body);
  const issues = parsed.ok
    ? checkRules(parsed.input)
    : mergeIssues(parsed.issues, checkRules(withoutFound(parsed.revived, parsed.issues)));
  return issues.map((issue) => writeText(renderLine(issue)));
}
