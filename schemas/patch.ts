import { z } from 'zod/v3';

/** Each field optional, and null to remove it. */
export function toPatch<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape, 'passthrough'>) {
  const fields = Object.entries(schema.shape).map(([key, field]) => [
    key,
    toValue(field).nullable().optional(),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys, each with the type that its field becomes
  const patch = Object.fromEntries(fields) as {
    [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>>;
  };
  return z.object(patch).passthrough();
}

/** A field that may be left out or null already is so once, or its JSON Schema would say it twice. */
function toValue(field: z.ZodTypeAny): z.ZodTypeAny {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable
    ? toValue(field.unwrap() as z.ZodTypeAny)
    : field;
}
