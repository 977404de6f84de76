import type { BatchEdit } from '../../../../schemas/batch.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { Choice } from '../../../../schemas/issues/facts.js';
import type { ListingRequest, Offering, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ListingChanges } from '../../../../schemas/listing_changes.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { toOfferingKey } from '../../listings/rules/variation_rules.js';
import { isSameText } from '../../listings/rules/text.js';
import { listAllOfferings } from '../../listings/resolve/changes/patch_offerings.js';
import { patchRequest } from '../../listings/resolve/changes/patch.js';
import { findOverrides, withOverrides, withoutOverrides } from '../../listings/resolve/overrides.js';
import type { ConnectedShop } from '../../ports/index.js';
import { editPhotos } from './photos.js';
import { increaseByAmount, increaseByPercent, roundPrice } from './prices.js';

type Making = Pick<ListingRequest['listing'], 'who_made' | 'when_made' | 'is_supply'>;

/** A listing in one shop: the request as the shop has it now. */
export type EditedPlace = { shop: ConnectedShop; request: ListingRequest };

/** The edited request, and anything to do besides changing it. */
export type Edited = {
  request: ListingRequest;
  /** `mixed_at`: the path of a sale whose combinations would get different stock, which a sold-out listing cannot take. */
  sale: { state: 'active' | 'inactive'; stock?: number; mixed_at?: string } | undefined;
  issues: Issue[];
  /** Whether a quantity was computed from the current stock. */
  addsStock: boolean;
};

/** Applies the edits in order. Edits of another currency leave the place unchanged. */
export function applyEdits(edits: readonly BatchEdit[], place: EditedPlace): Edited {
  const edited: Edited = {
    request: structuredClone(place.request),
    sale: undefined,
    issues: [],
    addsStock: edits.some(({ field, op }) => field === 'quantity' && op === 'add'),
  };
  for (const [index, edit] of edits.entries()) applyEdit(edit, `edits[${index}]`, place.shop, edited);
  return edited;
}

function applyEdit(edit: BatchEdit, at: string, shop: ConnectedShop, edited: Edited): void {
  const { field, op } = edit;
  const { listing } = edited.request;
  switch (field) {
    case 'price':
      return editPrices(edited.request, edit, shop.details.currency_code, getTarget(edited.request, shop));
    case 'quantity':
      return editQuantities(edited.request, edit);
    case 'title':
    case 'description':
      return editProse(edited, field, edit, at);
    case 'tags':
    case 'materials':
    case 'styles':
      listing[field] = editWords(listing[field] ?? [], edit);
      return;
    case 'shop_section_id':
    case 'shipping_profile_id':
    case 'return_policy_id':
    case 'processing_profile_id':
      return editReference(edited, field, edit.value, at, shop);
    case 'should_auto_renew':
    case 'is_taxable':
    case 'is_customizable':
      listing[field] = edit.value === true;
      return;
    case 'who_when_made': {
      const { who_made, when_made, is_supply } = edit.value as Making;
      Object.assign(listing, { who_made, when_made, is_supply });
      return;
    }
    case 'images':
      return editPhotos(edited.request, edit, `${at}.value`, edited.issues);
    case 'state':
      edited.sale = {
        state: op === 'active' ? 'active' : 'inactive',
        ...(edit.stock !== undefined && { stock: edit.stock }),
      };
      return;
    case 'copy':
      // Changes nothing in the shops that have the listing.
      return;
    default:
      return mergeChanges(edited, edit.value as ListingChanges, at, shop.shop_id);
  }
}

function getTarget({ shops }: ListingRequest, { shop_id }: ConnectedShop): ShopTarget {
  const target = shops.find((one) => one.shop_id === shop_id);
  if (!target) throw new Error(`shop ${shop_id} is not one of the listing's shops`);
  return target;
}

/** The combinations that an edit is about; undefined if the edit is not about a listing without variations. */
type Scope = { offerings: Offering[]; isWhole: boolean };

function findScope(request: ListingRequest, { where }: BatchEdit): Scope | undefined {
  const isVaried = (request.variations?.properties?.length ?? 0) > 0;
  if (!isVaried || !request.variations) {
    const isMeant =
      where === undefined || (where.options === undefined && matchesSku(request.listing.sku, where));
    return isMeant ? { offerings: [], isWhole: true } : undefined;
  }
  const offerings = listAllOfferings(request);
  request.variations.offerings = offerings;
  const meant = where === undefined ? offerings : offerings.filter((one) => matches(one, where));
  return { offerings: meant, isWhole: where === undefined };
}

function matches(offering: Offering, where: NonNullable<BatchEdit['where']>): boolean {
  const options = Object.entries(where.options ?? {});
  return (
    matchesSku(offering.sku, where) &&
    options.every(([name, value]) => {
      const own = offering[toOfferingKey(name)];
      return typeof own === 'string' && isSameText(own, value);
    })
  );
}

function matchesSku(
  sku: string | undefined,
  { sku: exact, sku_prefix }: NonNullable<BatchEdit['where']>,
): boolean {
  if (exact !== undefined && sku !== exact) return false;
  return sku_prefix === undefined || (sku?.startsWith(sku_prefix) ?? false);
}

/** Edits the shop's own price, or the one that all shops share, and the prices of its combinations in the same way. */
function editPrices(
  request: ListingRequest,
  edit: BatchEdit,
  currency_code: string,
  target: ShopTarget,
): void {
  if (edit.currency !== undefined && edit.currency !== currency_code) return;
  const scope = findScope(request, edit);
  if (!scope) return;
  const shared = target.price ?? request.listing.price;
  const toPrice = (price: number) => editPrice(price, edit, currency_code);
  for (const offering of scope.offerings) {
    const price = offering.price ?? (scope.isWhole ? undefined : shared);
    if (price !== undefined) offering.price = toPrice(price);
  }
  if (!scope.isWhole || shared === undefined) return;
  if (target.price === undefined) request.listing.price = toPrice(shared);
  else target.price = toPrice(shared);
}

function editPrice(price: number, { op, value, round_to }: BatchEdit, currency_code: string): number {
  const number = Number(value);
  if (op === 'set') return number;
  const raised = op === 'increase_by' ? increaseByAmount(price, number) : increaseByPercent(price, number);
  return roundPrice(raised, currency_code, round_to);
}

function editQuantities(request: ListingRequest, edit: BatchEdit): void {
  const scope = findScope(request, edit);
  if (!scope) return;
  const { listing } = request;
  const toQuantity = (quantity: number) =>
    edit.op === 'set' ? Number(edit.value) : Math.max(0, quantity + Number(edit.value));
  for (const offering of scope.offerings) {
    if (offering.enabled === false) continue;
    offering.quantity = toQuantity(offering.quantity ?? listing.quantity ?? 0);
  }
  if (scope.isWhole && scope.offerings.length === 0) listing.quantity = toQuantity(listing.quantity ?? 0);
}

function editProse(edited: Edited, field: 'title' | 'description', edit: BatchEdit, at: string): void {
  const { listing } = edited.request;
  const text = editText(listing[field], edit);
  const most = MARKETPLACE_FACTS.description_max_chars;
  // Each edit may make a text many times longer, so the length is checked after each.
  if (text.length <= most) listing[field] = text;
  else
    edited.issues.push({
      code: 'text_too_long',
      at: `${at}.${edit.op}`,
      params: { chars: text.length, most },
    });
}

function editText(text: string, { op, value, find = '', with: by = '' }: BatchEdit): string {
  const given = typeof value === 'string' ? value : '';
  switch (op) {
    case 'set':
      return given;
    case 'prepend':
      return `${given}${text}`;
    case 'append':
      return `${text}${given}`;
    default:
      return text.replaceAll(find, () => by);
  }
}

/** Keeps each word once. `replace` matches whole words. */
function editWords(words: readonly string[], { op, value, find = '', with: by = '' }: BatchEdit): string[] {
  const given = Array.isArray(value) ? (value as string[]) : [];
  const isGiven = (word: string) => given.some((one) => isSameText(one, word));
  switch (op) {
    case 'set':
      return listOnce(given);
    case 'add':
      return listOnce([...words, ...given]);
    case 'remove':
      return words.filter((word) => !isGiven(word));
    default:
      return listOnce(words.flatMap((word) => (word === find ? (by === '' ? [] : [by]) : [word])));
  }
}

function listOnce(words: readonly string[]): string[] {
  return words.filter((word, index) => words.findIndex((other) => isSameText(other, word)) === index);
}

const LISTS = {
  shop_section_id: { list: 'shop_sections', id: 'shop_section_id', name: 'title' },
  shipping_profile_id: { list: 'shipping_profiles', id: 'shipping_profile_id', name: 'title' },
  return_policy_id: { list: 'return_policies', id: 'return_policy_id', name: undefined },
  processing_profile_id: {
    list: 'processing_profiles',
    id: 'readiness_state_id',
    name: 'processing_days_display_label',
  },
} as const;

/** The entries of a shop's list that a listing can name. */
export function listChoices(shop: ConnectedShop, field: keyof typeof LISTS): Choice[] {
  const { list, id, name } = LISTS[field];
  return (shop.lists[list] as readonly Record<string, unknown>[]).map((entry) => ({
    id: Number(entry[id]),
    ...(name !== undefined && { name: String(entry[name]) }),
  }));
}

function editReference(
  edited: Edited,
  field: keyof typeof LISTS,
  value: unknown,
  at: string,
  shop: ConnectedShop,
): void {
  const target = getTarget(edited.request, shop);
  if (value === null) {
    delete target[field];
    return;
  }
  if (typeof value === 'number') {
    target[field] = value;
    return;
  }
  const name = typeof value === 'string' ? value : '';
  const choices = listChoices(shop, field);
  const named = choices.filter((choice) => choice.name !== undefined && isSameText(choice.name, name));
  // Clients that can only send text send ids as text.
  const found = named.length > 0 ? named : choices.filter(({ id }) => String(id) === name.trim());
  const { shop_name } = shop.details;
  const place = `${at}.value`;
  const [only] = found;
  if (!only)
    edited.issues.push({ code: 'item_name_unknown', at: place, params: { name, shop_name, choices } });
  else if (found.length > 1) {
    edited.issues.push({
      code: 'item_name_ambiguous',
      at: place,
      params: { name, shop_name, choices: found },
    });
  } else target[field] = Number(only.id);
}

function mergeChanges(edited: Edited, changes: ListingChanges, at: string, shop_id: number): void {
  const { shops, ...others } = withoutOverrides(changes);
  const own = shops?.filter((target) => target.shop_id === shop_id);
  const plain = { ...others, ...(own && own.length > 0 && { shops: own }) };
  const given = findOverrides(changes, shop_id);
  const before = edited.request;
  const { request, issues } = patchRequest(
    before,
    given === undefined ? plain : withOverrides(plain, given, { shop_id, before, common: before }),
  );
  edited.request = request;
  edited.issues.push(
    ...issues
      .filter(({ code }) => code !== 'nothing_to_change')
      .map((issue) => ({ ...issue, at: `${at}.value${issue.at.slice('changes'.length)}` })),
  );
}
