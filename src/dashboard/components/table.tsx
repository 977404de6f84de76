import type { ComponentChildren } from 'preact';

type Column = {
  name: string;
  /** Its cells are right-aligned, so that digits line up. */
  is_number?: boolean;
  /** Its cells are clear without the column's name next to them. */
  is_nameless?: boolean;
};

type Row = {
  key: string | number;
  /** One for each column; the first names the row. */
  cells: readonly ComponentChildren[];
};

type Props = { label: string; columns: readonly Column[]; rows: readonly Row[] };

/**
 * A table if there is room, scrollable with the arrow keys if it is wider than the window; on a phone, a card
 * for each row. The roles are explicit because browsers drop them if rows and cells have another layout.
 */
export function Table({ label, columns, rows }: Props) {
  return (
    <div class="table-wrap stacked" role="region" aria-label={label} tabIndex={0}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, is_number, is_nameless }) => (
              <th role="columnheader" scope="col" class={is_number ? 'number-cell' : undefined} key={name}>
                {is_nameless ? <span class="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ key, cells: [first, ...rest] }) => (
            <tr role="row" key={key}>
              <th role="rowheader" scope="row" data-label={columns[0]?.name}>
                <span>{first}</span>
              </th>
              {rest.map((cell, place) => (
                <Cell column={columns[place + 1]} key={place}>
                  {cell}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ column, children }: { column: Column | undefined; children: ComponentChildren }) {
  const { name = '', is_number = false, is_nameless = false } = column ?? {};
  return (
    <td role="cell" class={is_number ? 'number-cell' : undefined} data-label={is_nameless ? '' : name}>
      {children !== '' && <span>{children}</span>}
    </td>
  );
}
