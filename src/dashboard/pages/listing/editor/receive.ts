import type { CategoryMatch } from '../../../../../schemas/category.js';
import type { Refused } from '../../../../core/ports/index.js';
import { toErrorBody, toRefused } from '../../../../core/errors.js';
import { toServiceError } from '../../../../core/operations/service_error.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import { toRefusal } from '../../../operations.js';
import type { OwnPage, OwnPost, OwnVisit } from '../../../page.js';
import { describeRefusal } from '../../../words/refusals.js';
import { listKept } from '../../shops/kept.js';
import { describeCategory } from '../product/attributes.js';
import { getKept, KEPT_FILES, MOST_FILES, MOST_PHOTOS, MOST_VIDEOS } from './files/kept_files.js';
import type { Problem } from './problems.js';
import { applyStep } from './steps.js';
import type { Scope, Values } from './values.js';

/** The limits of the form: a table of all its combinations, and as many files as a listing may have. */
export const EDITOR_FORM = {
  max_files: MOST_PHOTOS + MOST_FILES + MOST_VIDEOS,
  form: { parts: Object.keys(KEPT_FILES), large: { fields: 4_000, bytes: 512 * 1024 } },
} satisfies Pick<OwnPage, 'max_files' | 'form'>;

/** Data for a page of the editor, in addition to the fields of its form. */
export type Opened = {
  values: Values;
  scope: Scope;
  /** The name of the chosen category. */
  path: string | undefined;
  /** The search results for categories. */
  found: readonly CategoryMatch[] | undefined;
  /** The search words that selected the category, as the only one they found. */
  chosen_by?: string;
  /** Files that were not accepted. */
  problems: Problem[];
};

/**
 * Reads the form: keeps its files as uploads, applies its button, and reads the options it offers.
 * @param shop_ids of an existing listing: they come first
 */
export async function receive(visit: OwnPost, shop_ids?: readonly number[]): Promise<Opened> {
  const { fields } = visit.form;
  // The review sends the form in one field.
  const packed = fields.get('form');
  const values = new URLSearchParams(packed ?? fields);
  values.delete('csrf_token');
  const step = values.get('step') ?? '';
  values.delete('step');
  const problems = await keepFiles(visit, values);
  const opened = await open(visit, values, { isSearch: step === 'category-find', shop_ids });
  applyStep(values, step, opened.scope);
  return { ...opened, problems };
}

/** `isSearch`: look for a category even if one is chosen. `shop_ids`: the shops that come first. */
type Opening = { isSearch?: boolean; shop_ids?: readonly number[] | undefined };

/** A single search result is selected automatically. */
export async function open(
  visit: OwnVisit,
  values: Values,
  { isSearch = false, shop_ids = [] }: Opening = {},
): Promise<Opened> {
  const { operations } = visit;
  const keywords = (values.get('category_words') ?? '').trim().slice(0, 255);
  const isWanted = keywords !== '' && (isSearch || readCategory(values) === undefined);
  const found = isWanted
    ? await operations.call('categories_search', { keywords, limit: 12 }).catch(toRefusal)
    : undefined;
  const categories = found && !('error' in found) ? found.categories : undefined;
  const [only, ...others] = categories ?? [];
  const isOnly = only !== undefined && others.length === 0;
  if (isOnly) values.set('category_id', String(only.category_id));
  const category_id = readCategory(values);
  const [shops, category, path] = await Promise.all([
    listKept(visit),
    category_id && operations.call('listing_schema', { category_id }).catch(toRefusal),
    category_id && describeCategory(operations, category_id),
  ]);
  return {
    values,
    scope: {
      shops: [...shops].sort(
        (a, b) => Number(shop_ids.includes(b.shop_id)) - Number(shop_ids.includes(a.shop_id)),
      ),
      category: category && !('error' in category) ? category : undefined,
    },
    path: path || undefined,
    found: isOnly ? undefined : categories,
    ...(isOnly && { chosen_by: keywords }),
    problems: [],
  };
}

function readCategory(values: Values): number | undefined {
  const category_id = Number(values.get('category_id') ?? '');
  return Number.isSafeInteger(category_id) && category_id > 0 ? category_id : undefined;
}

async function keepFiles({ form, operations }: OwnPost, values: Values): Promise<Problem[]> {
  const problems: Problem[] = [];
  const refuse = (part: string, filename: string, { lines }: { lines: string[] }) => {
    problems.push({
      field: getKept(part).part,
      text: `${cleanForeign(filename)} was not added. ${lines.join(' ')}`,
    });
  };
  for (const { part, filename, error } of form.refused) {
    refuse(part, filename, describeRefusal(toRefusedFile(error)));
  }
  for (const file of form.files) {
    const { type, name, most } = getKept(file.part);
    const isVideo = type === 'video';
    if (!isVideo && values.getAll(name).length >= most) {
      refuse(file.part, file.filename, { lines: [`A listing has at most ${most}.`] });
      continue;
    }
    const kept = await operations.call('file_upload', { type }, { file }).catch(toRefusal);
    if ('error' in kept) {
      refuse(file.part, file.filename, describeRefusal(kept.error));
      continue;
    }
    if (isVideo) values.delete(name);
    values.append(name, kept.url ?? '');
    if (type === 'image') values.append('photo_alt', '');
  }
  return problems;
}

function toRefusedFile(cause: Error): Refused {
  const error = toServiceError(cause);
  return toRefused(toErrorBody(error, ''), error.issues);
}
