import { z } from 'zod/v3';

/** The schema of the value itself: without `optional`, `nullable`, defaults and effects. */
export function unwrap(schema: z.ZodTypeAny): z.ZodTypeAny {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap() as z.ZodTypeAny);
  if (schema instanceof z.ZodDefault) return unwrap(schema.removeDefault() as z.ZodTypeAny);
  if (schema instanceof z.ZodEffects) return unwrap(schema.innerType() as z.ZodTypeAny);
  return schema;
}

/** The schema of a key's value in an unwrapped object or record; undefined for an unknown key. */
export function findField(wanted: z.ZodTypeAny, key: string): z.ZodTypeAny | undefined {
  if (wanted instanceof z.ZodRecord) return wanted.valueSchema as z.ZodTypeAny;
  const fields = listFields(wanted);
  return fields && Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** The fields of an unwrapped object by key; undefined for another schema. */
export function listFields(wanted: z.ZodTypeAny): Readonly<Record<string, z.ZodTypeAny>> | undefined {
  return wanted instanceof z.ZodObject ? (wanted.shape as Record<string, z.ZodTypeAny>) : undefined;
}
