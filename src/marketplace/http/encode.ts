import { dropBroken, toReceivableJson } from '../../core/text/visible_text.js';

/**
 * A value of a query or a form; undefined is not sent, null is sent empty. Lists are one value with commas
 * between the items.
 */
export type FieldValue = string | number | boolean | readonly (string | number)[] | null | undefined;
export type Fields = Readonly<Record<string, FieldValue>>;

/** A body that can be opened again from its start for each attempt. */
export type RequestBody = {
  content_type: string;
  size_bytes: number;
  open(): Buffer | AsyncIterable<Buffer>;
};

/** `?a=1&b=x`, or an empty string if no field has a value. */
export function toQueryString(fields: Fields): string {
  const text = toSearchParams(fields).toString();
  return text === '' ? '' : `?${text}`;
}

export function buildFormBody(fields: Fields): RequestBody {
  return buildTextBody('application/x-www-form-urlencoded; charset=utf-8', toSearchParams(fields).toString());
}

export function buildJsonBody(value: unknown): RequestBody {
  return buildTextBody('application/json; charset=utf-8', toReceivableJson(value));
}

function buildTextBody(content_type: string, text: string): RequestBody {
  const bytes = Buffer.from(text);
  return { content_type, size_bytes: bytes.length, open: () => bytes };
}

function toSearchParams(fields: Fields): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    params.append(name, dropBroken(Array.isArray(value) ? value.join(',') : String(value ?? '')));
  }
  return params;
}
