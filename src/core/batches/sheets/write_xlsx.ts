import { COLUMNS, NUMBERS, type SheetRow } from './columns.js';
import { MOST_CELL_CHARS } from './table.js';
import { inTurns } from './turns.js';
import { writeZip } from './zip.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A workbook of one sheet. All cells except prices and quantities are text cells, which no spreadsheet program converts. */
export async function writeXlsx(rows: readonly SheetRow[]): Promise<Buffer> {
  const header = COLUMNS.map((column, at) => writeCell(column, toReference(at, 1), false)).join('');
  const head =
    `${HEAD}<worksheet xmlns="${MAIN}">` +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    // Blank cells below and to the right are text, too.
    `<cols><col min="1" max="${COLUMNS.length}" width="14" style="1"/></cols>` +
    `<sheetData><row r="1">${header}</row>`;
  const sheet = [Buffer.from(head)];
  let number = 2;
  for await (const some of inTurns(rows)) {
    const first = number;
    sheet.push(Buffer.from(some.map((row, index) => writeRow(row, first + index)).join('')));
    number += some.length;
  }
  sheet.push(Buffer.from('</sheetData></worksheet>'));
  return writeZip([
    [
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Listings" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/worksheets/sheet1.xml', Buffer.concat(sheet)],
    ['xl/styles.xml', STYLES],
  ]);
}

/** Style 1 is the text format. */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function writeRow(row: SheetRow, number: number): string {
  const cells = row.map((text, at) =>
    writeCell(text, toReference(at, number), NUMBERS.has(COLUMNS[at] ?? '')),
  );
  return `<row r="${number}">${cells.join('')}</row>`;
}

function writeCell(text: string, reference: string, isNumber: boolean): string {
  // Longer text is left blank, which an import treats as unchanged.
  if (text === '' || text.length > MOST_CELL_CHARS) return '';
  if (isNumber) return `<c r="${reference}"><v>${text}</v></c>`;
  return `<c r="${reference}" s="1" t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`;
}

/** `A1`, `AA2`. */
function toReference(column: number, row: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return `${column < 26 ? '' : String.fromCharCode(64 + Math.floor(column / 26))}${letter}${row}`;
}

/** XML cannot hold most control characters; workbooks write them as `_x000D_`, and literal text of that form likewise. */
function escape(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (one) =>
      one === '\t' || one === '\n'
        ? one
        : `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
