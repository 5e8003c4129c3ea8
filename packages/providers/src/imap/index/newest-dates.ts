/**
 * Finds a date since which at least a wanted number of messages was received. Folders are not sorted by date, so the date
 * is estimated from the last messages of the largest folders.
 */
import { checkOpen, fetchByUid } from '../client/commands.ts'
import { isRefused } from '../errors.ts'
import type { Session } from '../session.ts'
import type { FolderIndex } from './folder-index.ts'

/** Messages by UID, or by sequence number. */
export type Range = { uids: string } | { places: string }

export interface Tail {
  index: FolderIndex
  /** Number of messages to choose from. */
  count: number
  /** The newest `count` of them. */
  tail(count: number): Range
}

/** Dates are read from at most this many folders. */
const maxFolders = 30
/** More dates are requested than wanted, because folders differ in how much of their mail is new. */
const spare = 4

/** A date since which `wanted` messages were received, in Unix seconds; minus infinity if there are fewer. */
export async function dateOfNewest(session: Session, tails: readonly Tail[], wanted: number): Promise<number> {
  const largest = tails.toSorted((a, b) => b.count - a.count).slice(0, maxFolders)
  const all = largest.reduce((sum, { count }) => sum + count, 0)
  const dates = await Promise.all(
    largest
      .filter(({ count }) => count > 0)
      .map(({ index, count, tail }) =>
        datesOf(session, index, tail(Math.min(count, wanted, Math.ceil((spare * wanted * count) / all)))),
      ),
  )
  const newest = dates.flat().sort((a, b) => b - a)
  return newest[wanted - 1] ?? Number.NEGATIVE_INFINITY
}

const datesOf = ({ mailbox, io }: Session, { path }: FolderIndex, range: Range): Promise<number[]> =>
  mailbox.in(path, { signal: io.signal }, async (client) => {
    const requested = { internalDate: true }
    const fetching =
      'uids' in range ? fetchByUid(client, range.uids, requested) : client.fetchAll(range.places, requested)
    // A server may refuse if the messages were deleted in the meantime.
    const messages = await fetching.catch((error: unknown) => {
      if (!isRefused(error)) throw error
      return []
    })
    checkOpen(client)
    return messages.map(({ internalDate }) => Math.floor(new Date(internalDate ?? 0).getTime() / 1000) || 0)
  })
