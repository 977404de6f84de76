export { backupDatabase } from './engine/sqlite/backup.js';
export {
  beginRestore,
  checkBackup,
  DRAFT as RESTORE_DRAFT,
  endRestore,
  isBeingRestored,
} from './engine/sqlite/restore.js';
export { isSystemError } from './engine/sqlite/system_error.js';
export {
  getContent,
  inspectFolder,
  type FolderInspection,
  type InspectedApplication,
  type InspectedShop,
} from './inspect.js';
export { listStoreFiles, writeSecretFile } from './engine/sqlite/files.js';
export { keepMasterKey, rescueMasterKey } from './secrets/keep_master_key.js';
export { openStore } from './store.js';
export { rotateMasterKey } from './secrets/rotate_master_key.js';
export { StoreError } from './store_error.js';
export {
  liftFolderMark,
  openFolderSource,
  openFolderTarget,
  type FolderPlace,
} from './engine/sqlite/move_place.js';
export { moveRows, type Moved } from './move/move.js';
export type { MovePlace } from './move/place.js';
export type { PostgresPlace } from './engine/postgres/move_place.js';
export { migrateDatabase } from './engine/migrate_database.js';
export { getFirstAccount, readFirstAccount } from './identity/first_account.js';
