import { isFieldName, isPlural, toFieldWords } from '../../core/issues/field_words.js';
import { toMakingWords } from '../../core/issues/making_words.js';

/*
 * The core's sentences are for programs and assistants too: they name operations, fields and ids. On a page the same sentences
 * stand in a seller's words. What is quoted are other people's words, and stays as it is.
 */

/** Whole turns of phrase, before single words. */
const PHRASES: readonly [RegExp, string | ((...found: string[]) => string)][] = [
  [/^file: with it, the account's uploads/, 'With this file, your uploads'],
  [/, the account's saved drafts would/, ', your saved drafts would'],
  [
    /^The account has ([\d,]+) saved drafts, as many as it may have/,
    'You have $1 saved drafts, as many as you may have',
  ],
  [/; send it again with listing_update/g, '; your assistant can send it again'],
  [/; ask listing_create_status for it, then call again/g, '; wait until it has ended, and try again'],
  [/Ask listing_create_status for job \S+ in a few seconds/g, 'This page shows it'],
  [/\bImage (\d+)\b/g, 'Photo $1'],
  [
    /the marketplace (?:did not answer|has a fault of its own) \((?:it answered \d{3} )?"(?:[^"\\]|\\.)*"\)(?:[,;] (?:then )?call listing_\w+ to finish)?/g,
    'the marketplace did not answer; finish it here when it does',
  ],
  [/; call listing_publish later to finish/g, '; finish it later'],
  [
    /[,;] (?:then )?call listing_(?:publish|update|undo) to (finish|try again|send it again)/g,
    '; you can $1 here',
  ],
  [/[,;] (?:then )?call listing_(?:publish|update|undo)\b/g, ', then try again here'],
  [/listing_publish (sends it|sets them|makes it|finishes)/g, 'publishing again $1'],
  [/; listing_(?:copy|delete|schema|undo)\b[^.;]*/g, ''],
  [/\. listing_(?:get|copy|delete|schema|publish|undo)\b[^.]*(?=\.|$)/g, ''],
  [/ of listing_schema| from listing_schema/g, ' of the category'],
  [/(?:for|in|with) state active\b/g, 'before it is put live'],
  [/state active (stops|is)/g, 'putting it live $1'],
  [/state publish\b/g, 'publishing as a draft'],
  [
    /Show the seller both values, in details\.drift; after a yes, on_drift overwrite replaces theirs(, and on_drift skip leaves theirs and takes back the rest)?\./g,
    '',
  ],
  [
    /None of the three was given; (\w+), (\w+) and false are used\./g,
    (_all = '', who = '', when = '') =>
      `Who made it and when was not said. It is listed as ${toName(who)}, ${toMakingWords(when)}, and not as a craft supply.`,
  ],
  [/the marketplace answered (?:\d{3}|nothing) /g, 'the marketplace said '],
  [/The marketplace answered (?:\d{3}|nothing): /g, 'The marketplace said: '],
  [/ \("HTTP \d{3}[^"]*"\)/g, ''],
  [/"HTTP \d{3}[^"]*"/g, 'no reason'],
];

/** Words for the interface's values. */
const VALUES: Record<string, string> = {
  i_did: 'made by you',
  someone_else: 'made by someone else',
  made_to_order: 'made to order',
  sold_out: 'sold out',
};

/** The operations, where no phrase has said it better. */
const OPERATIONS: Record<string, string> = {
  listing_create: 'a new listing',
  listing_publish: 'publishing',
  listing_update: 'a change of the listing',
  listing_undo: 'taking the change back',
  listing_copy: 'a copy',
  listing_delete: 'deleting it here',
  listing_import: 'an import',
  listing_get: 'this page',
  listing_schema: 'the category',
  listings_list: 'the page Listings',
  categories_search: 'a search for categories',
  store_sync: '“Sync now” on the page of the shop',
  store_listings: 'the shop’s own list',
  stores_list: 'the page Shops',
  file_upload: 'the page Uploads',
  webhook_endpoint_set: 'the page Webhooks',
  webhook_endpoint_get: 'the page Webhooks',
  webhooks_deliveries: 'the page Webhooks',
};

/** Also with the id that the name in quotes is of: `1234567890 ("Ready in a day")`. */
const QUOTED = /((?:\b\d{4,} \()?"(?:[^"\\]|\\.)*"\)?)/;
const ROOT =
  'changes|listing|shops|images|videos|digital_files|personalization|category_attributes|variations';
const PATH = new RegExp(
  String.raw`\b(?:${ROOT})(?:(?:\[\d+\])|(?:\.[a-z_]+\d*(?:\[\d+\])?)|(?:\.\d+))+`,
  'g',
);
/** What stands before a problem; unlike ROOT, these words stand in sentences too, and mean there what they say. */
const HEAD = `${ROOT}|state|stock|events|file|name`;
const LEADING = new RegExp(String.raw`^((?:${HEAD})(?:\[\d+\]|\.\w+)*): (.*)$`, 's');
const SNAKE = /\b[a-z]+(?:_[a-z0-9]+)+\b/g;
/** The name says it. */
const NAMED_ID = /^\d{4,} \((".*")\)$/s;

/** Each line by itself. */
export function toSellerWords(text: string): string {
  return text.split('\n').map(toSellerLine).join('\n');
}

/** The same, as a sentence of its own. */
export function toSellerSentence(text: string): string {
  const told = toSellerWords(text);
  const begun = told.charAt(0).toUpperCase() + told.slice(1);
  return /[.!?…]["”]?$/.test(begun) ? begun : `${begun}.`;
}

function toSellerLine(line: string): string {
  const told = PHRASES.reduce((said, [phrase, words]) => replace(said, phrase, words), line);
  const [, path, message] = LEADING.exec(told) ?? [];
  if (path === undefined || message === undefined) return toPlainWords(told);
  const words = toFieldWords(path);
  const verb = isPlural(path) ? message.replace(/^is /, 'are ').replace(/^has /, 'have ') : message;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${toPlainWords(verb)}`;
}

function replace(text: string, phrase: RegExp, words: string | ((...found: string[]) => string)): string {
  return typeof words === 'string' ? text.replace(phrase, words) : text.replace(phrase, words);
}

function toPlainWords(text: string): string {
  return text
    .split(QUOTED)
    .map((part, place) => (place % 2 === 1 ? part.replace(NAMED_ID, '$1') : replaceNames(part)))
    .join('');
}

function replaceNames(text: string): string {
  return text.replace(PATH, toFieldWords).replace(SNAKE, toName);
}

function toName(name: string): string {
  const known = VALUES[name] ?? OPERATIONS[name];
  if (known !== undefined) return known;
  return isFieldName(name) ? toFieldWords(name) : name.replaceAll('_', ' ');
}
