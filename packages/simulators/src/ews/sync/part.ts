// What changed since a client last asked.
import type { ExchangePart } from '../part.ts'
import { syncFolderHierarchy } from './hierarchy.ts'
import { syncFolderItems } from './items.ts'

export const syncPart: ExchangePart = {
  operations: { SyncFolderHierarchy: syncFolderHierarchy, SyncFolderItems: syncFolderItems },
}
