import { resolve } from 'node:path';
import { loadConfig } from '../config.js';
import { backupDatabase } from '../store/index.js';
import { print } from './output.js';

export async function backup(file: string): Promise<void> {
  const { data_dir } = loadConfig();
  const made = await backupDatabase({ data_dir, file: resolve(file), now: new Date() });
  print(`${made.file}, ${made.size_bytes} bytes, checked.`);
}
