export { backupDatabase } from './engine/sqlite/backup.js';
export { inspectFolder, type FolderInspection, type InspectedShop } from './inspect.js';
export { writeSecretFile } from './engine/sqlite/files.js';
export { keepMasterKey, rescueMasterKey } from './keep_secrets.js';
export { openStore, type OpenStoreOptions } from './open_store.js';
export { rotateMasterKey } from './rotate_master_key.js';
export { StoreError } from './store_error.js';
