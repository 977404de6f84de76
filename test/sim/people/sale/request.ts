import { COMBINATIONS, type Value } from '../../oracles/fields.js';
import { toShort } from '../../oracles/seen.js';
import type { PlannedSale } from '../../plan.js';
import type { Target } from '../../world/template.js';
import type { World } from '../../world/world.js';

/** The content of a product, as first requested. */
export type Product = { world: World; planned: PlannedSale };

const MUGS = 1062;
export const PRICE = 24.5;
export const STOCK = 4;
export const QUESTION = 'What shall it say';

export function buildRequest({ world: { template }, planned }: Product): Record<string, unknown> {
  const targets = listTargets({ template }, planned);
  return {
    shops: planned.is_digital ? targets.map(({ shop_id }) => ({ shop_id })) : targets,
    state: planned.state,
    listing: {
      title: buildTitle(planned),
      description: buildDescription(planned),
      listing_type: planned.is_digital ? 'digital' : 'physical',
      taxonomy_id: MUGS,
      price: PRICE,
      quantity: STOCK,
      who_made: 'i_did',
      when_made: 'made_to_order',
      is_supply: false,
    },
    ...(planned.photos > 0 && {
      images: template.photos.slice(0, planned.photos).map(({ url }) => ({ url })),
    }),
    ...(planned.is_digital && {
      digital_files: template.files.slice(0, 1).map(({ url, name }) => ({ url, name })),
    }),
    ...(planned.has_video && { videos: template.videos.slice(0, 1).map(({ url }) => ({ url })) }),
    ...(planned.has_question && {
      personalization: { enabled: true, is_required: false, instructions: QUESTION, max_chars: 40 },
    }),
    ...(planned.has_variations && {
      variations: { properties: [{ property_id: 513, name: 'Size', values: COMBINATIONS }] },
    }),
  };
}

export function listTargets(
  { template }: Pick<World, 'template'>,
  { shops }: Pick<PlannedSale, 'shops'>,
): Target[] {
  const [first, second] = template.targets;
  if (!first || !second) throw new Error('there are two shops');
  return { both: [first, second], first: [first], second: [second] }[shops];
}

/** The displayed photos, videos and files, as first requested. */
export function listMedia({ world: { template }, planned }: Product) {
  return {
    photos: listShort(template.photos.slice(0, planned.photos)),
    video: listShort(planned.has_video ? template.videos.slice(0, 1) : []),
    files: planned.is_digital ? (template.files[0]?.name ?? '') : '',
  };
}

export function listShort(files: readonly { sha256: string }[]): string {
  return files.map(({ sha256 }) => toShort(sha256)).join(',');
}

export function buildTitle({ number }: PlannedSale): string {
  return `Piece ${number}`;
}

export function buildDescription({ number }: PlannedSale): string {
  return `By its number: ${number}.`;
}

export function buildOffering({ has_variations }: PlannedSale, price: number): Record<string, unknown> {
  return { ...(has_variations ? { size: COMBINATIONS[0] } : {}), price };
}

/** A question to buyers, in the marketplace's form. */
export function buildQuestion(instructions: string): Record<string, unknown> {
  return {
    question_text: 'Personalization',
    question_type: 'text_input',
    instructions,
    required: false,
    max_allowed_characters: 40,
  };
}

/** Each value is unique, so that it shows who wrote it. */
export function buildValue(
  { planned, deeds }: { planned: PlannedSale; deeds: number },
  kind: 'title' | 'price' | 'question' | 'words',
  by: 'ours' | 'hand',
): Value {
  const number = 2 * (100 * planned.number + deeds) + (by === 'hand' ? 1 : 0);
  return kind === 'price' ? 30 + number : `${by === 'hand' ? 'By hand' : 'Ours'} ${number}`;
}
