import { sql, type SqlBool } from 'kysely';

/** The condition that a column of text has this text somewhere in it, to the letter. Some databases tell small from capital letters. */
export function contains(column: string, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<SqlBool>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
}
