import type { FieldsWith } from './listing_fields.js';

/** A value of an option. The marketplace may name the option differently from the request, so a known id decides. */
export type OptionValue = { name: string; property_id: number | null; value: string };

/** A combination, by its option values; empty for a listing without variations. */
export type OfferingKey = readonly OptionValue[];

/** The fields that each combination has. */
export type OfferingField =
  Exclude<FieldsWith<{ part: 'inventory' }>, 'processing_min' | 'processing_max'> | 'is_enabled';

/** A field of a listing in one shop. Without `field`, it is all of what the other members name. */
export type FieldRef =
  | { part: 'fields'; field: FieldsWith<{ part: 'fields' }> }
  | {
      part: 'inventory';
      offering: OfferingKey;
      field?: OfferingField;
      /** For a price that only this shop of the request has, in place of the shared one. */
      shop_index?: number;
    }
  /** The options that buyers choose by; without `name`, the set of options. */
  | { part: 'options'; name?: string; field?: 'property_id' | 'scale_id' | 'values' }
  | { part: 'images' | 'videos' | 'files' }
  | { part: 'images'; field: 'alt_text'; id: number | null; position: number }
  | { part: 'variation_images'; property_id: number | null; value: string }
  /** `name`: as in the category, or the id. */
  | { part: 'attributes'; id: number | null; name: string }
  /** With `field`, it is a question that a request can express. */
  | { part: 'questions'; position: number; field?: 'enabled' | 'is_required' | 'instructions' | 'max_chars' }
  | { part: 'translations'; language: string; field: 'title' | 'description' | 'tags' }
  | { part: 'state' };

/**
 * A field that differs between two reads of a listing. The values are in the form of a request; ids are replaced by their
 * names.
 */
export type FieldDifference = {
  ref: FieldRef;
  before: unknown;
  after: unknown;
  /** sold: a quantity that decreased, as sales do. */
  kind: 'set' | 'sold';
};
