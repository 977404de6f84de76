import { LISTING_WIRE } from '../map/wire_listing.js';

const FIELDS = Object.entries<{ sent: string | null; answered?: string }>(LISTING_WIRE);
const SENT = FIELDS.flatMap(([, { sent }]) => sent ?? []);

/** Names of fields on the wire, and our names for them. */
const OUR_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    FIELDS.flatMap(([field, { sent, answered }]) => [sent, answered].map((name) => [name ?? field, field])),
  ),
  tag: 'tags',
  material: 'materials',
  image: 'images',
  image_ids: 'images',
  video: 'videos',
  file: 'files',
};

/** Names that only appear in a refusal's sentence if they are meant as fields. */
const UNAMBIGUOUS_NAMES = buildNames(
  [
    ...SENT.filter((name) => name.includes('_')),
    'image_ids',
    'property_values',
    'property_id',
    'value_ids',
    'scale_id',
    '(?:price|quantity|sku|readiness_state)_on_property',
  ],
  'g',
);

/** Ordinary words that are also names: a sentence may well mean the field, as in `The title is too long`. */
const PLAIN_NAMES = buildNames(
  SENT.filter((name) => !name.includes('_') && OUR_NAMES[name] === name).map((name) =>
    name.replace(/s$/, 's?'),
  ),
  'gi',
);

function buildNames(names: readonly string[], flags: string): RegExp {
  return new RegExp(`\\b(${names.join('|')})\\b`, flags);
}

/** `/file/attachments`: a path in the middle of a sentence. */
const PATHS = /(?:^|\s)(\/[a-z][\w/]{0,80})/g;

/** The field that a path on the wire is about: its first step, under our name. Undefined for the root path. */
export function toOurField(path: string): string | undefined {
  const first = path.split(/[/.[\]]+/).find(Boolean);
  if (first === undefined || !/^[a-z]\w{0,60}$/i.test(first)) return undefined;
  return OUR_NAMES[first] ?? first;
}

/**
 * The fields that a refusal's sentence names. Empty if it names none that we know; a path is the most
 * reliable sign.
 */
export function findFields(sentence: string): string[] {
  const paths = [...sentence.matchAll(PATHS)].map(([, path]) => toOurField(path ?? ''));
  const named = [...sentence.matchAll(UNAMBIGUOUS_NAMES)].map(([, name]) => name);
  const plain = [...sentence.matchAll(PLAIN_NAMES)].map(([, name]) => name?.toLowerCase());
  const found = [paths, named, plain].find((names) => names.length > 0);
  const ours = (found ?? []).flatMap((name) => (name === undefined ? [] : [OUR_NAMES[name] ?? name]));
  return [...new Set(ours)];
}
