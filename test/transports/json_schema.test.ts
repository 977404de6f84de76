import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { operations } from '../../tools/index.js';
import { buildInputSchema, buildOutputSchema } from '../../src/transports/json_schema.js';
import { convert } from '../../src/transports/schema_conversion.js';

describe('the conversion to JSON Schema', () => {
  it('allows unknown keys and names no dialect', () => {
    expect(convert('x', z.object({ a: z.string().describe('A') }))).toEqual({
      type: 'object',
      properties: { a: { type: 'string', description: 'A' } },
      required: ['a'],
      additionalProperties: true,
    });
  });

  it('refuses anything but an object', () => {
    expect(() => convert('x', z.array(z.string()))).toThrow('x: the schema must be an object at its root.');
  });

  it('puts each bound at its path', () => {
    const input = z.object({
      rows: z.array(z.object({ tags: z.array(z.string()).nullish() })),
      unit: z.string().nullish(),
      byName: z.record(z.object({ size: z.number() })),
    });
    const bounds = {
      rows: { maxItems: 2 },
      'rows[].tags': { maxItems: 13 },
      'rows[].tags[]': { maxLength: 20 },
      unit: { enum: ['g', 'kg'] },
      'byName.*.size': { minimum: 1 },
    };
    const valid = new Ajv2020().compile(buildInputSchema({ id: 'x', input, bounds }));
    const base = { rows: [], byName: {} };
    const judge = (extra: object) => valid({ ...base, ...extra });
    expect(judge({ rows: [{ tags: ['a'] }, { tags: null }], unit: null, byName: { a: { size: 1 } } })).toBe(
      true,
    );
    expect(judge({ rows: [{}, {}, {}] })).toBe(false);
    expect(judge({ rows: [{ tags: Array.from({ length: 14 }, () => 'a') }] })).toBe(false);
    expect(judge({ rows: [{ tags: ['a'.repeat(21)] }] })).toBe(false);
    expect(judge({ unit: 'lb' })).toBe(false);
    expect(judge({ byName: { a: { size: 0 } } })).toBe(false);
  });

  it('refuses a bound whose path does not exist', () => {
    const bounds = { 'a.b': { minimum: 1 } };
    expect(() => buildInputSchema({ id: 'x', input: z.object({ a: z.string() }), bounds })).toThrow(
      'x: the bounds name a.b, which the input does not have.',
    );
  });
});

describe('the schema of every operation', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'is valid 2020-12: %s',
    (_id, operation) => {
      for (const schema of [buildInputSchema(operation), buildOutputSchema(operation)]) {
        expect(ajv.validateSchema(schema)).toBe(true);
        expect(() => ajv.compile(schema)).not.toThrow();
        expect(JSON.stringify(schema)).not.toMatch(/"\$(ref|schema)"/);
      }
    },
  );
});
