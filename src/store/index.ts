export { backupDatabase } from './engine/sqlite/backup.js';
export {
  inspectFolder,
  type FolderInspection,
  type InspectedApplication,
  type InspectedShop,
} from './inspect.js';
export { writeSecretFile } from './engine/sqlite/files.js';
export { keepMasterKey, rescueMasterKey } from './secrets/keep_master_key.js';
export { openStore, type OpenedStore, type OpenStoreOptions } from './store.js';
export { rotateMasterKey } from './secrets/rotate_master_key.js';
export { StoreError } from './store_error.js';
