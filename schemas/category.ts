import { z } from 'zod/v3';

const possibleValue = z.object({
  value_id: z.number().int().nullable(),
  name: z.string(),
  scale_id: z.number().int().nullable(),
});

const scale = z.object({
  scale_id: z.number().int(),
  display_name: z.string(),
  description: z.string(),
});

const variationPropertySchema = z.object({
  property_id: z.number().int(),
  name: z.string(),
  display_name: z.string(),
  possible_values: z.array(possibleValue),
  scales: z.array(scale),
});

const attributeSchema = variationPropertySchema.extend({
  is_required: z.boolean(),
  is_multivalued: z.boolean(),
  max_values: z.number().int().nullable(),
});

export const categorySchema = z.object({
  category_id: z.number().int(),
  full_path: z.string().optional().describe('After categories_search has read the tree'),
  required_fields: z.array(z.object({ field: z.string(), type: z.string(), description: z.string() })),
  category_attributes: z.array(attributeSchema),
  variation_properties: z.array(variationPropertySchema),
});
export type CategorySchema = z.infer<typeof categorySchema>;
export type AttributeSchema = z.infer<typeof attributeSchema>;
export type VariationPropertySchema = z.infer<typeof variationPropertySchema>;

export const categoryQuery = z.object({
  category_id: z.number().int().describe('Category id, the taxonomy_id of a listing'),
});

export const categoriesQuery = z.object({
  keywords: z.string().trim().min(1).max(255).describe('The kind of product, or a category id'),
  limit: z.number().int().min(1).max(50).default(10),
});

const categoryMatch = z.object({
  category_id: z.number().int(),
  name: z.string(),
  full_path: z.string().describe('Names from the top, " > " between them'),
  is_leaf: z.boolean(),
});
export type CategoryMatch = z.infer<typeof categoryMatch>;

export const categoriesFound = z.object({
  total: z.number().int(),
  categories: z.array(categoryMatch),
});
