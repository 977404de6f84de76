import { expect, it } from 'vitest';
import { toPublishPlan } from '../../../src/store/jobs/earlier_plans.js';

const PHOTO = { url: 'https://files.example/a.jpg', sha256: 'a', path: 'images[0]' };
const VIDEO = { url: 'https://files.example/a.mp4', sha256: 'b' };
const FILE = { url: 'https://files.example/a.pdf', sha256: 'c' };
const COLOR = { property_id: 200, value_ids: [1], values: ['Blue'], scale_id: null };
const WARNING = { code: 'ignored_field', fields: ['images[0]'] };
const OWN_WARNING = { code: 'ignored_field', fields: ['shops[1]'] };

const NONE = { images: [], videos: [], files: [], attributes: [] };
const SHOP = { shop_id: 101, shop_name: 'ClayAndOak', currency_code: 'USD', draft: { title: 'Mug' } };

it('gives each shop its complete target if an earlier release stored the parts once for all shops', () => {
  const stored = {
    state: 'active',
    batch_id: 'batch_1',
    images: [{ ...PHOTO, alt_text: 'A mug' }, PHOTO],
    videos: [VIDEO],
    files: [FILE],
    attributes: [COLOR],
    variation_images: { property_id: 513, images: [{ value: 'Small', image: 1 }] },
    personalization: { is_required: true, instructions: 'Name', max_chars: 20 },
    warnings: [WARNING],
    shops: [
      { ...SHOP, inventory: { products: [] }, warnings: [] },
      { ...SHOP, shop_id: 102, position: 4, warnings: [WARNING], own: { ...NONE, warnings: [OWN_WARNING] } },
    ],
  };
  const images = [
    { id: null, file: { ...PHOTO, alt_text: 'A mug' }, alt_text: 'A mug' },
    { id: null, file: PHOTO, alt_text: '' },
  ];
  const question = {
    question_id: null,
    question_type: 'text_input',
    question_text: 'Personalization',
    instructions: 'Name',
    required: true,
    max_allowed_characters: 20,
    max_allowed_files: null,
    options: [],
    add_on_price: null,
  };
  const { draft, ...shop } = SHOP;
  const converted = toPublishPlan(stored);
  expect(converted).toEqual({
    purpose: 'publish',
    batch_id: 'batch_1',
    warnings: [WARNING],
    shops: [
      {
        ...shop,
        listing_id: null,
        action: {
          kind: 'publish',
          draft,
          target: {
            images,
            videos: [{ id: null, file: VIDEO }],
            files: [{ id: null, file: FILE }],
            variation_images: [{ property_id: 513, value: 'Small', image: { position: 1 } }],
            attributes: [COLOR],
            questions: [question],
            inventory: { products: [] },
            state: 'active',
          },
          position: 0,
        },
        names: {},
        warnings: [],
      },
      {
        ...shop,
        shop_id: 102,
        listing_id: null,
        action: {
          kind: 'publish',
          draft,
          target: { state: 'active' },
          position: 4,
          own_warnings: [OWN_WARNING],
        },
        names: {},
        warnings: [WARNING],
      },
    ],
    request: null,
  });
  expect(toPublishPlan(converted)).toBe(converted);
});
