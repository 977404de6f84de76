import type { SheetResult } from '../../../../schemas/batch.js';
import { COMBINATIONS } from '../../oracles/fields.js';
import { listHeld } from '../../oracles/ledger.js';
import type { PlannedBatch, SheetEditKind } from '../../plan.js';
import type { Collecting, EditedCell, Piece } from './collecting.js';

const STOCK = '4';

/** A row of an export, by column. */
type Row = Record<string, string>;

type Sheet = { header: string[]; rows: Row[] };

type UploadedSheet = { url: string; edited: Map<number, EditedCell[]> };

/** Exports some pieces, edits cells as a seller would, and uploads the file. Returns undefined if that fails. */
export async function fillSheet(
  collecting: Collecting,
  deed: PlannedBatch,
  pieces: readonly Piece[],
  { name, meanwhile }: { name: string; meanwhile: () => Promise<void> },
): Promise<UploadedSheet | undefined> {
  const { ask, who, world, chance, faults } = collecting;
  const sheet = await exportSheet(collecting, pieces);
  if (!sheet) return undefined;
  await meanwhile();
  const edited = new Map<number, EditedCell[]>();
  for (const [index, { listing_pk, number }] of pieces.entries()) {
    const own = sheet.rows.filter((row) => row['listing_pk'] === String(listing_pk));
    const kinds = index > 0 && chance.oneIn(3) ? [] : (deed.sheet ?? []);
    const text = `${collecting.planned.number}.${name}.${number}`;
    const cells: EditedCell[] = [];
    for (const kind of kinds) cells.push(...editRows(own, kind, { text, chance, cells }));
    edited.set(listing_pk, cells);
  }
  world.journal.note(who, 'edits the sheet', JSON.stringify([...edited]));
  const upload = { name: 'sheet.csv', bytes: writeSheet(sheet, chance.pick([',', ';', '\t'])) };
  const result = await ask(who, 'file_upload', { type: 'sheet' }, { face: 'rest', upload });
  if (result.kind === 'told') return { url: String(result.output['url']), edited };
  faults.push(`${who} cannot upload a sheet: ${JSON.stringify(result)}`);
  return undefined;
}

/** Each cell of an export has the marketplace's value while it was made. */
async function exportSheet(
  { ask, who, planned, world, ledger, faults }: Collecting,
  pieces: readonly Piece[],
): Promise<Sheet | undefined> {
  const asked_ms = world.schedule.now();
  const listing_pks = pieces.map(({ listing_pk }) => listing_pk);
  const shop_id = world.template.targets[planned.shop]?.shop_id;
  const input = { select: { listing_pks }, format: 'csv' };
  const result = await ask(who, 'batch_sheet', input, { face: 'rest' });
  if (result.kind !== 'told') {
    faults.push(`${who} cannot export a sheet: ${JSON.stringify(result)}`);
    return undefined;
  }
  const { bytes, warnings } = result.output as unknown as SheetResult & { bytes: Buffer };
  const sheet = readSheet(String(bytes));
  // Copies in the other shop are left out, as a seller may do.
  sheet.rows = sheet.rows.filter((row) => row['shop_id'] === String(shop_id));
  for (const row of warnings ? [] : sheet.rows) {
    const at = findCombination(row);
    const shown = {
      title: row['title'],
      state: row['state'],
      [`price.${at}`]: row['price'],
      [`stock.${at}`]: row['quantity'],
    };
    for (const [field, value = ''] of Object.entries(shown)) {
      const held = listHeld(ledger, Number(row['listing_id']), field, asked_ms);
      if (!held.includes(value))
        faults.push(
          `the export has ${value} as ${field} of ${row['listing_id']}, which had ${held.join(', ')}`,
        );
    }
  }
  return sheet;
}

function findCombination(row: Row): number {
  return Math.max(
    0,
    COMBINATIONS.findIndex((value) => row['option_1'] === `Size: ${value}`),
  );
}

/**
 * Edits the rows of a listing. Values common to all rows may be given in the first only. @param cells cells
 * edited earlier, whose stock and state are not edited again
 */
function editRows(
  rows: readonly Row[],
  kind: SheetEditKind,
  { text, chance, cells }: { text: string; cells: readonly EditedCell[] } & Pick<Collecting, 'chance'>,
): EditedCell[] {
  const [first] = rows;
  if (!first) return [];
  const setAll = (column: string, field: string, given: string, value = given): EditedCell[] => {
    const exported = first[column] ?? '';
    const isOnce = rows.length > 1 && chance.oneIn(2);
    for (const row of rows) row[column] = isOnce && row !== first ? '' : given;
    return [{ field, value, exported }];
  };
  const setEach = (column: string, field: string, change: (was: number) => string): EditedCell[] =>
    rows.map((row) => {
      const exported = row[column] ?? '';
      const given = change(Number(exported));
      row[column] = given;
      return { field: `${field}.${findCombination(row)}`, value: String(Number(given)), exported };
    });
  const isEdited = (column: string): boolean =>
    rows.some((row) => row[column] === '' || isOfSheet(row, column));
  const hasCell = (field: string): boolean => cells.some((cell) => cell.field.startsWith(field));
  switch (kind) {
    case 'price':
      return setEach('price', 'price', (was) => (was + chance.between(1, 9) + 0.25).toFixed(2));
    case 'title':
      return setAll('title', 'title', `Sheet ${text}`);
    case 'tags':
    case 'clear': {
      if (isEdited('tags')) return [];
      if (kind === 'clear') return setAll('tags', 'tags', '[clear]', '[]');
      const tags = `tag ${text.replaceAll('.', ' ')}, of sheet`;
      return setAll('tags', 'tags', tags, JSON.stringify(tags.split(', ')));
    }
    case 'stock':
      if (first['state'] === 'sold_out' || hasCell('stock')) return [];
      return setEach('quantity', 'stock', (was) => String(was + chance.between(1, 5)));
    case 'off':
      return first['state'] === 'active' && !hasCell('state') ? setAll('state', 'state', 'inactive') : [];
    case 'on': {
      const { state } = first;
      if (state !== 'inactive' && state !== 'expired' && state !== 'sold_out') return [];
      const stock = state === 'sold_out' ? setEach('quantity', 'stock', () => STOCK) : [];
      return [...stock, ...setAll('state', 'state', 'active')];
    }
    case 'blank':
      for (const column of ['title', 'tags', 'section']) {
        if (!isOfSheet(first, column)) for (const row of rows) row[column] = '';
      }
      return [];
  }
}

/** Whether the cell has an edit of this sheet. */
function isOfSheet(row: Row, column: string): boolean {
  const text = row[column] ?? '';
  return text === '[clear]' || text.startsWith('Sheet ') || text.endsWith(', of sheet');
}

function readSheet(text: string): Sheet {
  const table: string[][] = [[]];
  for (const [, cell = '', end] of text.slice(1).matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    table.at(-1)?.push(cell.replaceAll(/^"|"$/g, '').replaceAll('""', '"'));
    if (end !== ',') table.push([]);
  }
  const [header = [], ...body] = table.filter((cells) => cells.length > 0);
  const rows = body.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])));
  return { header, rows };
}

/** As a spreadsheet program saves it: with semicolons, prices have a decimal comma. */
function writeSheet({ header, rows }: Sheet, delimiter: string): Buffer {
  const toText = (row: Row, column: string): string => {
    const text = row[column] ?? '';
    return column === 'price' && delimiter === ';' ? text.replace('.', ',') : text;
  };
  const lines = rows.map((row) =>
    header.map((column) => `"${toText(row, column).replaceAll('"', '""')}"`).join(delimiter),
  );
  return Buffer.from(`${[header.join(delimiter), ...lines].join('\r\n')}\r\n`);
}
