import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/*
 * A sheet as the seller edits it in a spreadsheet program: the edited cells, and how the program saves the
 * file.
 */

const BOM = '\ufeff';

/** Exports listings over stdio, and reads the file that the assistant names. Rows are objects by column. */
export async function exportSheet(assistant, select) {
  const { path, rows: count } = await assistant.ask('batch_sheet', { select, format: 'csv' });
  const { header, rows } = readSheet(await readFile(path, 'utf8'));
  if (rows.length !== count) throw new Error(`${rows.length} rows in the file instead of ${count}`);
  return { folder: dirname(path), header, rows };
}

/** Saves the rows next to the export and uploads that file. Returns its url. */
export async function uploadSheet(assistant, { folder, header, rows }, options) {
  const path = join(folder, 'edited.csv');
  await writeFile(path, saveSheet({ header, rows }, options));
  const { url } = await assistant.ask('file_upload', { path, type: 'sheet' });
  return url;
}

/**
 * @param options `delimiter` and `decimal`: the ones of the seller's country; `bom`: whether the program
 * writes a UTF-8 mark
 */
export function saveSheet({ header, rows }, { delimiter = ',', decimal = '.', bom = false } = {}) {
  const toCell = (row, column) => {
    const text = row[column] ?? '';
    const shown = column === 'price' ? text.replace('.', decimal) : text;
    return `"${shown.replaceAll('"', '""')}"`;
  };
  const lines = rows.map((row) => header.map((column) => toCell(row, column)).join(delimiter));
  return `${bom ? BOM : ''}${[header.join(delimiter), ...lines].join('\r\n')}\r\n`;
}

export function readSheet(text) {
  const table = [[]];
  const cells = text.replace(BOM, '').matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g);
  for (const [, cell, end] of cells) {
    table.at(-1).push(cell.replaceAll(/^"|"$/g, '').replaceAll('""', '"'));
    if (end !== ',') table.push([]);
  }
  const [header, ...body] = table.filter((row) => row.length > 0);
  return { header, rows: body.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]]))) };
}

/** The rows with cells that the seller edited, by title: `{bowl: {price: '24'}}`. */
export const fill = (rows, edits) => rows.map((row) => ({ ...row, ...edits[row.title] }));
