declare const shape: unique symbol;

/** TEXT that contains JSON of a known shape: only `toJson` makes it, so `fromJson` may trust it. */
export type Json<T> = string & { readonly [shape]: T };

// oxlint-disable typescript/no-unsafe-type-assertion -- the two ends of a column's text meet here and nowhere else
/** For a column of this shape. */
export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>;
}

/** Throws SyntaxError if something else changed the file. */
export function fromJson<T>(text: Json<T>): T {
  return JSON.parse(text) as T;
}
