// Synchronization: the changes since a client's last request.
import type { ExchangePart } from '../part.ts'
import { syncFolderHierarchy } from './hierarchy.ts'
import { syncFolderItems } from './items.ts'

export const syncPart: ExchangePart = {
  operations: { SyncFolderHierarchy: syncFolderHierarchy, SyncFolderItems: syncFolderItems },
}
