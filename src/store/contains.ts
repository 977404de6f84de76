import { sql, type SqlBool } from 'kysely';

/** The condition that a text column contains this text, matched exactly. In some databases, the match is case-sensitive. */
export function contains(column: string, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<SqlBool>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
}
