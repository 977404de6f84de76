import { migrateStore } from '../../compose/migrate.js';
import { loadConfig } from '../../config.js';
import { print } from '../output.js';

export async function migrate(): Promise<void> {
  print(`${await migrateStore(loadConfig())} is up to date.`);
}
