import type { WatchCursor } from '../mapping/cursor.ts'

/** If a message is dated this close to the creation of the grant, dates alone cannot decide which was first. */
export const clockSeconds = 60

/**
 * Whether a message is older than the grant and was present before: it is never reported. If the clocks cannot
 * decide, the state of the folder at the start of watching does.
 */
export function isOlderThanGrant(
  { path, uid, date }: { path: string; uid: number; date: number },
  { begun, folders }: Pick<WatchCursor, 'begun' | 'folders'>,
  grantCreatedAt: number,
): boolean {
  if (Math.abs(date - grantCreatedAt) > clockSeconds) return date < grantCreatedAt
  const [uidValidity, uidNext] = begun.get(path) ?? ['', 0]
  return uidValidity === folders.get(path)?.uidValidity && uid < uidNext
}
