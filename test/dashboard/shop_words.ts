import { openDatabase } from '../../src/sandbox/store/database.js';

/**
 * Rewrites the words of all shops of a sandbox, which no call of the API changes: their names, sections, shipping
 * profiles and production partners. The service knows them after the next sync.
 */
export function rewriteShops(database_file: string, toWords: (name: string) => string): void {
  const db = openDatabase(database_file);
  try {
    db.write(() => {
      db.run('UPDATE shops SET shop_name = ?', toWords('shop'));
      db.run('UPDATE sections SET title = ?', toWords('section'));
      db.run("UPDATE shipping_profiles SET data = json_set(data, '$.title', ?)", toWords('profile'));
      db.run(
        'UPDATE production_partners SET partner_name = ?, location = ?',
        toWords('partner'),
        toWords('place'),
      );
    });
  } finally {
    db.close();
  }
}
