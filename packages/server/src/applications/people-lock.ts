import type { Queries } from '@waypost/store/engine/database'
import { writeFact } from '@waypost/store/tables/applications/installation'

/** Allows one transaction at a time to change people, so that the count of owners is correct when it commits. */
export const lockPeople = async (tx: Queries, now: number): Promise<void> =>
  void (await writeFact(tx, 'people_lock', String(now)))
