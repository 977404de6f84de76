import type { CategoryStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

/** Stored copies of the marketplace's categories; readers decide how old one may be. */
export function createCategoryRepository({ read, write }: Engine<Tables>): CategoryStore {
  return {
    async findCategorySchema(category_id) {
      const row = await read((trx) =>
        trx
          .selectFrom('category_schemas')
          .select(['schema', 'fetched_at'])
          .where('category_id', '=', category_id)
          .executeTakeFirst(),
      );
      return row && { schema: fromJson(row.schema), fetched_at: row.fetched_at };
    },
    async saveCategorySchema(schema, fetched_at) {
      const values = { schema: toJson(schema), fetched_at };
      await write((trx) =>
        trx
          .insertInto('category_schemas')
          .values({ category_id: schema.category_id, ...values })
          .onConflict((conflict) => conflict.column('category_id').doUpdateSet(values))
          .execute(),
      );
    },
    async findCategoryTree() {
      const row = await read((trx) =>
        trx
          .selectFrom('category_tree')
          .select(['categories', 'fetched_at'])
          .where('id', '=', 1)
          .executeTakeFirst(),
      );
      return row && { categories: fromJson(row.categories), fetched_at: row.fetched_at };
    },
    async findCategoryTreeTime() {
      const row = await read((trx) =>
        trx.selectFrom('category_tree').select('fetched_at').where('id', '=', 1).executeTakeFirst(),
      );
      return row?.fetched_at;
    },
    async saveCategoryTree(categories, fetched_at) {
      const values = { categories: toJson(categories), fetched_at };
      await write((trx) =>
        trx
          .insertInto('category_tree')
          .values({ id: 1, ...values })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
          .execute(),
      );
    },
  };
}
