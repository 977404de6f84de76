import { describe, expect, it } from 'vitest';
import { compareSnapshots } from '../../../src/core/listings/snapshot/compare.js';
import { buildEmptyChange } from '../../../src/core/ports/listing/progress.js';
import { toJson, type Json } from '../../../src/store/json.js';
import { readPart, readWithRefs } from '../../../src/store/jobs/labeled_differences.js';
import {
  buildInventory,
  buildOnly,
  buildQuestion,
  buildSnapshot,
  withProduct,
} from '../../core/listings/update/pieces.js';
import { withLabels } from './labels.js';
import type { FieldDifference } from '../../../schemas/field_ref.js';
import type { ListingSnapshot } from '../../../src/core/ports/listing/snapshot.js';

/* Rows written by releases that stored labels instead of refs. */

const before = buildSnapshot();
const { listing } = before;
const OTHERS: Record<string, Partial<ListingSnapshot>> = {
  'fields of the listing and of the shop': {
    listing: {
      ...listing,
      title: 'B',
      state: 'inactive',
      shipping_profile_id: 99,
      featured_rank: 1,
      gpsr_serial_number: 'X-1',
    },
  },
  'fields of combinations': {
    inventory: withProduct(buildInventory(), 'B', {
      price: 31,
      quantity: 4,
      sku: 'E',
      is_enabled: false,
      readiness_state_id: 8,
    }),
  },
  'combinations that came and went': {
    inventory: { ...buildInventory(), products: buildInventory().products.slice(1) },
  },
  'the order of values': {
    inventory: { ...buildInventory(), products: buildInventory().products.toReversed() },
  },
  'another listing without options': { inventory: buildOnly() },
  'photos, videos and files': {
    images: before.images.slice(1),
    videos: [{ video_id: 1, video_url: null }],
    files: [{ listing_file_id: 1, filename: 'a.pdf', rank: 1, size_bytes: 1 }],
  },
  'one question': { questions: [buildQuestion()] },
  'several questions': { questions: [buildQuestion(), buildQuestion({ question_text: 'Which dog?' })] },
  'words of a translation': { translations: before.translations.slice(1) },
};

const toReason = (text: string) => ({ code: 'stored_text' as const, params: { text } });

const read = (diff: FieldDifference[]) => {
  const progress = { ...buildEmptyChange(), before, diff };
  const { overwriting: _, ...old } = progress;
  return readPart(toJson(withLabels(old)) as Json<typeof progress>);
};

describe('differences with labels are read with refs', () => {
  it.each(Object.entries(OTHERS))('for %s', (_name, other) => {
    const after = buildSnapshot({ listing: { ...listing, gpsr_serial_number: null }, ...other });
    const known = { ...before, listing: { ...listing, gpsr_serial_number: null } };
    const diff = compareSnapshots(known, after);
    expect(diff.length).toBeGreaterThan(0);
    expect(read(diff)).toMatchObject({ diff, overwriting: [] });
  });

  it('for the only combination', () => {
    const after = buildOnly({ price: 21, quantity: 4, sku: 'B', is_enabled: false, readiness_state_id: 8 });
    const diff = compareSnapshots({ inventory: buildOnly() }, { inventory: after });
    expect(diff).toHaveLength(5);
    expect(read(diff)).toMatchObject({ diff });
  });

  it('without an id if the label does not identify the combination', () => {
    const images = before.images.map((image) => ({ ...image, alt_text: 'Other' }));
    const names = { 'category_attributes 200': 'Primary color' };
    const diff = compareSnapshots(before, { images, attributes: [], variation_images: [] }, names);
    expect(read(diff).diff.map(({ ref }) => ref)).toEqual([
      { part: 'images', field: 'alt_text', id: null, position: 0 },
      { part: 'images', field: 'alt_text', id: null, position: 1 },
      { part: 'images', field: 'alt_text', id: null, position: 2 },
      { part: 'variation_images', property_id: null, value: 'Sand' },
      { part: 'variation_images', property_id: null, value: 'Moss' },
      { part: 'attributes', id: null, name: 'Primary color' },
    ]);
  });
});

it('finds a combination missing from the row by its label', () => {
  const label = 'variations.offerings[Size: S, M, Color: Red].price';
  const row = { pending: { changes: [], fields: [{ field: label, before: 1, after: 2 }] } };
  expect(readWithRefs(toJson(row))).toEqual({
    pending: {
      changes: [],
      fields: [
        {
          ref: {
            part: 'inventory',
            offering: [{ name: 'Size', property_id: null, value: 'S, M, Color: Red' }],
            field: 'price',
          },
          before: 1,
          after: 2,
          kind: 'set',
        },
      ],
    },
  });
});

it('reads drift, and the edits an update overwrites, from its warnings', () => {
  const drift = compareSnapshots({ listing }, { listing: { ...listing, title: 'Theirs' } });
  const other = { code: 'not_checked', fields: ['listing.title'], reason: toReason('Not known') };
  const warning = { code: 'overwritten', fields: ['listing.title'], reason: toReason('Overwritten') };
  const progress = {
    ...buildEmptyChange(),
    warnings: [other],
    overwriting: [{ ref: { part: 'fields' as const, field: 'title' as const }, warning }],
    failure: { step: 'decide' as const, error: toReason('Edited'), marketplace_status: null, drift },
  };
  const old = toJson(withLabels(progress)) as Json<typeof progress>;
  expect(old).toContain('"drift":[{"field":"listing.title","ours":"A mug","theirs":"Theirs"}]');
  expect(readPart(old)).toEqual(progress);
});

it('leaves rows with refs, and everything else, unchanged', () => {
  const left_out = [{ field: 'styles', reason: { code: 'stored_text', params: { text: 'Refused' } } }];
  const result = { differences: [{ field: 'listing.title', ours: 'A', theirs: 'B' }] };
  const ref = { part: 'state' as const };
  const row = { left_out, result, diff: [{ ref, before: 'active', after: 'inactive', kind: 'set' }] };
  expect(readWithRefs(toJson(row))).toEqual(row);
});
