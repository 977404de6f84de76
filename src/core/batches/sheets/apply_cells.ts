import type { BatchEdit } from '../../../../schemas/batch.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { listAllOfferings } from '../../listings/resolve/changes/patch_offerings.js';
import type { SheetCell, SnapshotPart } from '../../ports/index.js';
import { listPartsFor } from '../live.js';
import { applyEdits, type Edited, type EditedPlace } from '../edits/apply.js';
import { isVaried, toOptions } from './build_rows.js';
import { OF_ROW, type OfListing } from './columns.js';
import { toPlace } from './compare.js';

const FIELDS: Record<OfListing, string> = {
  title: 'title',
  description: 'description',
  tags: 'tags',
  materials: 'materials',
  section: 'shop_section_id',
  state: 'state',
  shipping_profile: 'shipping_profile_id',
  processing_profile: 'processing_profile_id',
};

export function listCellParts(cells: readonly SheetCell[]): SnapshotPart[] {
  return listPartsFor(cells.map(isOfRow));
}

/** Applies the edits of a sheet, whose cells are values that edits can set. */
export function applyCells(cells: readonly SheetCell[], place: EditedPlace): Edited {
  const before = place.request;
  const moved = cells.flatMap((cell) => findMoved(cell, before));
  const others = cells.filter(
    (cell) => !isOfRow(cell) || (cell.column === 'price' && isOfWhole(cell, before)),
  );
  const edited = applyEdits(others.map(toEdit), place);
  const issues = edited.issues.map((issue): Issue => {
    const cell = others[Number(/^edits\[(\d+)\]/.exec(issue.at)?.[1])];
    return cell ? { ...issue, at: toPlace(cell.row, cell.column) } : issue;
  });
  edited.issues = [...moved, ...issues];
  for (const cell of cells) if (!others.includes(cell)) setOfRow(edited, cell);
  edited.addsStock = cells.some(({ column }) => column === 'quantity');
  const state = cells.find(({ column }) => column === 'state');
  if (edited.sale && state && edited.addsStock) {
    const [stock, ...more] = listStocks(edited.request);
    Object.assign(edited.sale, more.length > 0 ? { mixed_at: toPlace(state.row, 'state') } : { stock });
  }
  return edited;
}

function isOfRow({ column }: SheetCell): boolean {
  return OF_ROW.some((one) => one === column);
}

function isOfWhole({ options }: SheetCell, request: ListingRequest): boolean {
  return options[0] === '' && !isVaried(request);
}

function toEdit({ column, value }: SheetCell): BatchEdit {
  if (column === 'state') return { field: 'state', op: String(value) };
  const field = column === 'price' ? column : FIELDS[column as OfListing];
  return { field, op: 'set', value };
}

/** The distinct quantities of the offered combinations. */
function listStocks(request: ListingRequest): (number | undefined)[] {
  const { quantity } = request.listing;
  if (!isVaried(request)) return [quantity];
  const offered = listAllOfferings(request).filter(({ enabled }) => enabled !== false);
  return [...new Set(offered.map((offering) => offering.quantity ?? quantity))];
}

/** Writing the cell would overwrite stock that differs from the export's. */
function findMoved({ column, row, exported, options }: SheetCell, before: ListingRequest): Issue[] {
  if (column !== 'quantity' || exported === undefined) return [];
  const live = findTarget(before, options)?.quantity ?? before.listing.quantity ?? 0;
  if (live === exported) return [];
  return [{ code: 'sheet_quantity_moved', at: toPlace(row, column), params: { exported, live } }];
}

type Target = { quantity?: number | undefined; sku?: string | undefined; price?: number; enabled?: boolean };

/** The combination of a row, or the listing itself if it has none; undefined if there is no such combination. */
function findTarget(request: ListingRequest, options: SheetCell['options']): Target | undefined {
  if (!isVaried(request)) return options[0] === '' ? request.listing : undefined;
  return listAllOfferings(request).find((offering) => {
    const [first, second] = toOptions(request, offering);
    return first === options[0] && second === options[1];
  });
}

function setOfRow({ request, issues }: Edited, { column, row, options, value }: SheetCell): void {
  if (isVaried(request) && request.variations) request.variations.offerings = listAllOfferings(request);
  const target = findTarget(request, options);
  if (!target) {
    const named = options.filter((option) => option !== '');
    issues.push({ code: 'sheet_combination_gone', at: toPlace(row, column), params: { options: named } });
  } else if (column === 'sku') {
    target.sku = String(value ?? '');
  } else if (column === 'offered') target.enabled = value === true;
  else if (column === 'price') target.price = Number(value);
  else target.quantity = Number(value);
}
