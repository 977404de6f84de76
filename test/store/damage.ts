import { closeSync, openSync, writeSync } from 'node:fs';
import { openAddon } from '../../src/sqlite.js';

/** Overwrites the first page of an index, which no ordinary start reads. */
export function damageIndex(file: string, name: string): void {
  const sqlite = openAddon(file);
  const find = sqlite.prepare<[string], { rootpage: number }>(
    'SELECT rootpage FROM sqlite_schema WHERE name = ?',
  );
  const page = find.get(name)?.rootpage ?? 0;
  const page_bytes = Number(sqlite.pragma('page_size', { simple: true }));
  sqlite.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(page_bytes, 0x5a), 0, page_bytes, (page - 1) * page_bytes);
  closeSync(descriptor);
}
