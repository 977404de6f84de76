import { ATTRIBUTES, COMBINATIONS, type Field, type Value } from '../../oracles/fields.js';
import type { ContentKind } from '../../plan.js';
import type { Uploaded } from '../client.js';
import { buildOffering, buildValue, listShort } from './request.js';
import type { Selling } from './selling.js';
import { uploadPhoto } from './uploading.js';

/** The content listing_update is asked to write, and the resulting values of the fields. */
export type Contents = {
  changes: Record<string, unknown>;
  value?: Value;
  /** For several fields. */
  values?: ReadonlyMap<Field, Value>;
};

const COLORS = [
  ['Bronze', 4],
  ['Brown', 5],
  ['Clear', 6],
] as const;

/** At least as many as the program tries. */
const MANY_REFUSALS = 6;

export async function drawContents(selling: Selling, kind: ContentKind): Promise<Contents> {
  const { chance, world, planned } = selling;
  const { template } = world;
  switch (kind) {
    case 'title': {
      const value = buildValue(selling, 'title', 'ours');
      return { value, changes: { listing: { title: value } } };
    }
    case 'price': {
      const value = buildValue(selling, 'price', 'ours');
      return { value, changes: { offerings: [buildOffering(planned, Number(value))] } };
    }
    case 'photos': {
      const photos = await drawPhotos(selling);
      return { value: listShort(photos), changes: { images: photos.map(({ url }) => ({ url })) } };
    }
    case 'video': {
      const films = chance.oneIn(3) ? [] : [chance.pick(template.videos)];
      return { value: listShort(films), changes: { videos: films.map(({ url }) => ({ url })) } };
    }
    case 'question': {
      const value = String(buildValue(selling, 'question', 'ours'));
      return { value, changes: { personalization: { enabled: true, instructions: value, max_chars: 40 } } };
    }
    case 'files': {
      const first = chance.below(template.files.length);
      const files = template.files.slice(first, first + chance.between(1, 2));
      return {
        value: files.map(({ name }) => name).join(','),
        changes: { digital_files: files.map(({ url, name }) => ({ url, name })) },
      };
    }
    case 'color': {
      const [value, value_id] = chance.pick(COLORS);
      const attribute = { values: [value], value_ids: [value_id] };
      return { value, changes: { category_attributes: { [ATTRIBUTES.color.property_id]: attribute } } };
    }
    case 'other_price': {
      const value = buildValue(selling, 'price', 'ours');
      return { value, changes: { offerings: [{ size: COMBINATIONS[1], price: value }] } };
    }
    case 'several':
      return drawSeveral(selling);
  }
}

async function drawPhotos(selling: Selling): Promise<Uploaded[]> {
  const { chance, world } = selling;
  const count = chance.between(1, 3);
  const known = world.template.photos.slice(chance.below(2)).slice(0, count).toReversed();
  const fresh = chance.oneIn(2) ? await uploadPhoto(selling) : undefined;
  return fresh ? [fresh, ...known.slice(1)] : known;
}

function drawSeveral(selling: Selling): Contents {
  const { chance, moods, world, planned } = selling;
  const photos = world.template.photos.slice(chance.below(2)).slice(0, chance.between(1, 3));
  const title = buildValue(selling, 'title', 'ours');
  const price = buildValue(selling, 'price', 'ours');
  // Stops between two of its parts.
  if (moods.oneIn(3)) world.fates.strikeNext({ on: 'inventory', kind: 'refused', times: MANY_REFUSALS });
  return {
    values: new Map<Field, Value>([
      ['title', title],
      ['price', price],
      ['photos', listShort(photos)],
    ]),
    changes: {
      listing: { title },
      offerings: [buildOffering(planned, Number(price))],
      images: photos.map(({ url }) => ({ url })),
    },
  };
}
