/**
 * From which date on so many messages are to be found in several folders. Folders keep no order of dates, so that this is
 * a date that the last messages of the largest folders tell: at least as many messages were received since.
 */
import { checkOpen, fetchByUid } from '../connections/command.ts'
import { isRefused } from '../errors.ts'
import type { Session } from '../session.ts'
import type { FolderIndex } from './folder-index.ts'

/** Messages by their UIDs, or by their places in the folder. */
export type Range = { uids: string } | { places: string }

export interface Tail {
  index: FolderIndex
  /** How many messages there are to choose from. */
  count: number
  /** The last so many of them. */
  tail(count: number): Range
}

/** So many folders tell their dates. */
const maxFolders = 30
/** More dates are asked for than are wanted: folders differ in how much of their mail is new. */
const spare = 4

/** A date since which `wanted` messages were received, Unix seconds; minus infinity where there are not so many. */
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
    const asked = { internalDate: true }
    const fetching = 'uids' in range ? fetchByUid(client, range.uids, asked) : client.fetchAll(range.places, asked)
    // A server may refuse where the messages are gone by now.
    const messages = await fetching.catch((error: unknown) => {
      if (!isRefused(error)) throw error
      return []
    })
    checkOpen(client)
    return messages.map(({ internalDate }) => Math.floor(new Date(internalDate ?? 0).getTime() / 1000) || 0)
  })
