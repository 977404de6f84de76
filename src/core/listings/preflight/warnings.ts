import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../marketplace_facts.js';
import type { PlannedFile } from '../plan.js';
import { countChars } from '../rules/text.js';

/** What is right but will surprise: told before anything is sent. About the listing, the same in every shop. */
export function listRequestWarnings(
  request: ListingRequest,
  files: readonly PlannedFile[],
  completed: number,
): Warning[] {
  return [
    ...listMade(request),
    ...listUnusedSku(request),
    ...listCompleted(completed),
    ...listPersonalization(request),
    ...listLargeFiles(files),
  ];
}

function listMade({ listing }: ListingRequest): Warning[] {
  if (listing.who_made !== undefined) return [];
  const when = listing.listing_type === 'physical' ? 'made_to_order' : MARKETPLACE_FACTS.open_when_made;
  return [
    {
      code: 'who_when_made_defaulted',
      fields: ['listing.who_made', 'listing.when_made', 'listing.is_supply'],
      reason: `None of the three was given; i_did, ${when} and false are used.`,
    },
  ];
}

/** With variations each combination has a SKU of its own. */
function listUnusedSku({ listing, variations }: ListingRequest): Warning[] {
  if (!listing.sku || !variations?.properties || variations.properties.length === 0) return [];
  const reason = 'With variations the SKUs of the offerings count; the SKU of the listing is not used.';
  return [{ code: 'ignored_field', fields: ['listing.sku'], reason }];
}

function listCompleted(completed: number): Warning[] {
  if (completed === 0) return [];
  const reason = `${completed} combinations were not among the offerings; they are created hidden, with quantity 0.`;
  return [{ code: 'offerings_completed', fields: ['variations.offerings'], reason }];
}

function listPersonalization({ personalization }: ListingRequest): Warning[] {
  if (!personalization) return [];
  const { enabled, instructions = '', ...rest } = personalization;
  const given = Object.keys({ ...rest, ...(instructions === '' ? {} : { instructions }) });
  if (enabled !== true) {
    if (given.length === 0) return [];
    const fields = given.map((field) => `personalization.${field}`);
    return [
      {
        code: 'ignored_field',
        fields,
        reason: 'Personalization is not enabled; set personalization.enabled to true.',
      },
    ];
  }
  const most = MARKETPLACE_FACTS.personalization_instructions_max_chars;
  const chars = countChars(instructions);
  if (chars <= most) return [];
  const reason = `The instructions have ${chars} characters; the marketplace takes ${most} and may refuse them.`;
  return [{ code: 'marketplace_limit', fields: ['personalization.instructions'], reason }];
}

function listLargeFiles(files: readonly PlannedFile[]): Warning[] {
  const most = MARKETPLACE_FACTS.digital_file_max_bytes;
  const large = files.flatMap(({ size_bytes, filename }, index) =>
    size_bytes > most ? [{ index, filename }] : [],
  );
  if (large.length === 0) return [];
  const names = large.map(({ filename }) => filename).join(', ');
  return [
    {
      code: 'marketplace_limit',
      fields: large.map(({ index }) => `digital_files[${index}].url`),
      reason: `The marketplace takes digital files of at most 20 MB and may refuse: ${names}.`,
    },
  ];
}
