import { describe, expect, it } from 'vitest';
import { toFieldWords } from '../../src/core/issues/field_words.js';
import type { ErrorCode } from '../../schemas/error.js';
import type { Fact, Issue } from '../../schemas/issue.js';
import { renderFactForSeller, writeText } from '../../src/core/issues/render.js';
import { ServiceError } from '../../src/core/errors.js';
import type { Refused } from '../../src/core/ports/index.js';
import { listPlaces } from '../../src/dashboard/words/places.js';
import { describeRefusal } from '../../src/dashboard/words/refusals.js';

describe("a field in a seller's words", () => {
  it.each([
    ['images[0].alt_text', 'photo 1, alt text'],
    ['shops[1].shop_section_id', 'shop 2, shop section'],
    ['listing.title', 'title'],
    ['variations.offerings[2].price', 'variation 3, price'],
    ['images', 'photos'],
    ['category_attributes.200', 'attribute'],
  ])('%s is shown as %s', (path, words) => {
    expect(toFieldWords(path)).toBe(words);
  });
});

const AGAIN = { operation: 'listing_publish' } as const;

describe("a warning or a failure in a seller's words", () => {
  it.each<[Fact, string]>([
    [
      { code: 'profile_defaulted', params: { profile: { id: 1_386_200_000_101, name: '1 - 2 days' } } },
      'No processing profile was chosen; "1 - 2 days" is used.',
    ],
    [
      { code: 'making_defaulted', params: { when_made: 'made_to_order' } },
      'The listing does not say who made it or when. It is listed as made by you, to order, and not as a craft supply.',
    ],
    [
      { code: 'making_defaulted', params: { when_made: '2020_2026' } },
      'The listing does not say who made it or when. It is listed as made by you, 2020 to 2026, and not as a craft supply.',
    ],
    [
      {
        code: 'call_failed',
        params: {
          work: 'create',
          why: { failure: 'unanswered', status: 503, words: 'Later.', is_ours: false },
          again: AGAIN,
        },
      },
      'The listing could not be created: Etsy did not respond. You can finish this here later.',
    ],
    [
      {
        code: 'photo_not_sent',
        params: {
          index: 0,
          why: { failure: 'refused', status: 400, words: 'No taxonomy_id.', is_ours: false },
          again: AGAIN,
        },
      },
      'Photo 1 could not be sent: Etsy said "No taxonomy_id."',
    ],
    [
      { code: 'video_gone', params: {} },
      'Etsy accepted the video, but no longer shows it. Finish the listing here to send it again.',
    ],
    [
      { code: 'stored_text', params: { text: 'Stored by an earlier release; call listing_publish' } },
      'Stored by an earlier release; call listing_publish.',
    ],
  ])('%j has its sentence', (fact, words) => {
    expect(writeText(renderFactForSeller(fact))).toBe(words);
  });
});

describe("a refusal in a seller's words", () => {
  const docs = '';

  it('by the limit of fees is not shown as a mistake to correct', () => {
    const refused: Refused = {
      code: 'VALIDATION_FAILED',
      status: 400,
      message: 'state: …',
      hint: 'Correct the fields named in the message and send the request again.',
      docs,
      issues: [{ code: 'activations_limit', at: 'state', params: { most: 20, wanted: 1 } }],
    };
    expect(describeRefusal(refused)).toEqual({
      lines: [
        'This would exceed your limit of 20 listing fees in 24 hours. Try again later, or save the listing as a draft on Etsy.',
      ],
      hint: 'Nothing was done, and nothing was paid.',
    });
  });

  it("shows its problems in a seller's words", () => {
    const issues: Issue[] = [
      { code: 'photos_required', at: 'images', params: {} },
      { code: 'list_too_long', at: 'listing.tags', params: { count: 15, most: 13, items: 'tags' } },
      { code: 'physical_required', at: 'shops[0].shipping_profile_id', params: {} },
      { code: 'physical_required', at: 'shops[1].return_policy_id', params: {}, shop_name: 'A.B]%Ä' },
    ];
    const { lines } = describeRefusal({
      code: 'VALIDATION_FAILED',
      status: 400,
      message: '…',
      hint: '…',
      docs,
      issues,
    });
    expect(lines).toEqual([
      'The listing has no photos. An active listing needs 1 to 10.',
      'Tags: 15 is too many. Use at most 13.',
      'Shop 1, shipping profile: This is required for a physical listing. The shop’s page lists the choices.',
      'A.B]%Ä, return policy: This is required for a physical listing. The shop’s page lists the choices.',
    ]);
  });

  it('of a full account says how to make room', () => {
    const { lines, hint } = describeProblem('QUOTA_EXCEEDED', {
      code: 'quota_drafts',
      at: '',
      params: { most: 1_000 },
    });
    expect(lines).toEqual(['You have 1,000 saved drafts, which is the maximum.']);
    expect(hint).toMatch(/^Delete drafts and uploads that are no longer needed/);
  });

  it("during an outage leaves out the marketplace's answer", () => {
    const answer = { message: 'fetch failed', is_ours: false };
    expect(
      describeProblem('MARKETPLACE_UNAVAILABLE', {
        code: 'marketplace_unreachable',
        at: '',
        params: { answer },
      }),
    ).toEqual({
      lines: ['Etsy is not responding right now.'],
      hint: 'Everything that is saved here is safe. Try again in a few minutes.',
    });
  });

  it('has the next step of its problem, not the hint for programs', () => {
    expect(describeProblem('NOT_FOUND', { code: 'api_key_not_found', at: '', params: {} }).hint).toBe(
      'The page “API keys and assistants” lists your keys.',
    );
  });

  it('sends the seller to the assistant only for fields that no page has', () => {
    const issue = { code: 'text_empty', params: {} } as const;
    expect(describeProblem('VALIDATION_FAILED', { ...issue, at: 'listing.title' })).toEqual({
      lines: ['Title: This cannot be empty.'],
      hint: 'Your assistant can correct it: tell it what this page says. Then try again.',
    });
    expect(describeProblem('VALIDATION_FAILED', { ...issue, at: 'url' }).hint).toBe(
      'Correct it, and try again.',
    );
  });

  function describeProblem(code: ErrorCode, issue: Issue) {
    const { message, hint, status } = new ServiceError(code, [issue]);
    return describeRefusal({ code, status, message, hint, docs, issues: [issue] });
  }
});

it('links each problem once to the page that fixes it', () => {
  const lost = { shop_id: 7, shop_name: 'ClayAndOak' };
  expect(
    listPlaces([
      { code: 'grant_lost', at: '', params: lost },
      { code: 'upload_gone', at: 'images[0].url', params: {} },
      { code: 'upload_gone', at: 'images[1].url', params: {} },
      { code: 'text_empty', at: 'listing.title', params: {} },
    ]),
  ).toEqual([
    { path: '/dashboard/shops/7', name: 'ClayAndOak' },
    { path: '/dashboard/uploads', name: 'Uploads' },
  ]);
});
