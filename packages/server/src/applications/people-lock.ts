import type { Queries } from '../store/engine/database.ts'
import { writeFact } from '../store/tables/applications/installation.ts'

/** Lets one transaction at a time change people: who counts the owners counts what stands when it is through. */
export const lockPeople = async (tx: Queries, now: number): Promise<void> =>
  void (await writeFact(tx, 'people_lock', String(now)))
