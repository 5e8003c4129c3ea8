import type { Queries } from '../store/engine/database.ts'
import { writeFact } from '../store/tables/applications/installation.ts'

/** Allows one transaction at a time to change people, so that the count of owners is correct when it commits. */
export const lockPeople = async (tx: Queries, now: number): Promise<void> =>
  void (await writeFact(tx, 'people_lock', String(now)))
