import { keepConstant } from '../core/constant.js';
import type { CategoryStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { fromJson, toJson } from './json.js';

type KeptSchema = NonNullable<Awaited<ReturnType<CategoryStore['findCategorySchema']>>>;

/** A schema may have hundreds of values. */
const MAX_READ = 50;

/** Kept copies of the marketplace's categories; how old one may be is for the reader to say. */
export function createCategoryTables(database: Database): CategoryStore {
  const { db } = database;
  const ofCategory = db.selectFrom('category_schemas').where('category_id', '=', 0);
  const findAge = database.prepareFirst(ofCategory.select('fetched_at').compile());
  const findSchema = database.prepareFirst(ofCategory.select(['schema', 'fetched_at']).compile());
  const findTree = database.prepareFirst(
    db.selectFrom('category_tree').select(['categories', 'fetched_at']).where('id', '=', 1).compile(),
  );
  const read = new Map<number, KeptSchema>();
  return {
    /** Every listing asks for that of its category: it is read anew when another one was fetched. */
    async findCategorySchema(category_id) {
      const known = read.get(category_id);
      if (known && known.fetched_at === (await findAge(category_id))?.fetched_at) return known;
      read.delete(category_id);
      const row = await findSchema(category_id);
      if (!row) return undefined;
      const kept = keepConstant<KeptSchema>({ schema: fromJson(row.schema), fetched_at: row.fetched_at });
      if (read.size >= MAX_READ) read.clear();
      read.set(category_id, kept);
      return kept;
    },
    async saveCategorySchema(schema, fetched_at) {
      const values = { schema: toJson(schema), fetched_at };
      await database.write((trx) =>
        trx
          .insertInto('category_schemas')
          .values({ category_id: schema.category_id, ...values })
          .onConflict((conflict) => conflict.column('category_id').doUpdateSet(values))
          .execute(),
      );
      read.delete(schema.category_id);
    },
    async findCategoryTree() {
      const row = await findTree(1);
      return row && { categories: fromJson(row.categories), fetched_at: row.fetched_at };
    },
    async saveCategoryTree(categories, fetched_at) {
      const values = { categories: toJson(categories), fetched_at };
      await database.write((trx) =>
        trx
          .insertInto('category_tree')
          .values({ id: 1, ...values })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
          .execute(),
      );
    },
  };
}
