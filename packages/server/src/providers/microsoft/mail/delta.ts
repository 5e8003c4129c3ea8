/**
 * What changed, by Graph's delta queries (https://learn.microsoft.com/graph/delta-query-messages): there is one for the
 * folders of a mailbox, and one for the messages of each. All are asked together, as few requests as batches allow. Links
 * are kept as paths, as Graph gave them.
 */
import { ApiError } from '../../../lib/api-error.ts'
import { flag, instant, nonEmptyText, object, type Read, text } from '../../../lib/json/reader.ts'
import { timeText } from '../../mail/exchange/mapping.ts'
import { needsResync } from '../errors.ts'
import { graphPath } from '../graph-links.ts'
import { changesOf } from '../graph-pages.ts'
import { type BatchCall, version } from '../session.ts'
import { at } from '../token-endpoint.ts'
import { idPath, type Mailbox } from './mail-api.ts'

const removed = object({}, { reason: text })

/** A message or a folder that is new, changed or gone; of a change it may have what changed alone. */
const item = object(
  { id: nonEmptyText },
  {
    '@removed': removed,
    receivedDateTime: instant,
    isDraft: flag,
    displayName: text,
    parentFolderId: text,
    isHidden: flag,
  },
)
export type DeltaItem = Read<typeof item>

const answer = changesOf(item)

/** One page of what changed. */
export interface Delta {
  items: DeltaItem[]
  link: string
  /** Whether the round goes on. */
  more: boolean
}

const messagesPerPage = ['odata.maxpagesize=50']
const foldersPerPage = ['odata.maxpagesize=200']

/** Goes on with a link, or begins with the folders. */
export const treeCall = (mailbox: Mailbox, link: string | undefined): BatchCall =>
  link === undefined
    ? {
        path: mailbox.path('mailFolders/delta'),
        query: { $select: 'id,displayName,parentFolderId,isHidden' },
        prefer: foldersPerPage,
      }
    : { path: link, prefer: foldersPerPage }

/** Goes on with a link, or begins with the messages of a folder that came since a time in seconds. */
export const messagesCall = (
  mailbox: Mailbox,
  id: string,
  { link, created }: { link: string | undefined; created: number },
): BatchCall =>
  link === undefined
    ? {
        path: mailbox.path(`mailFolders/${idPath('folder', id)}/messages/delta`),
        query: {
          $select: 'receivedDateTime,isRead,isDraft,flag,parentFolderId,categories',
          $filter: sinceFilter(created),
          // A filtered round gives 5,000 messages at most: those that came last must be among them.
          $orderby: 'receivedDateTime desc',
        },
        prefer: messagesPerPage,
      }
    : { path: link, prefer: messagesPerPage }

const sinceFilter = (seconds: number): string => `receivedDateTime ge ${timeText(seconds)}`

/** One page of each; `resync` where Graph has forgotten what a link stands for. What begins anew has nothing to forget. */
export async function readDeltas(
  { session }: Mailbox,
  calls: readonly BatchCall[],
): Promise<(Delta | 'resync' | ApiError)[]> {
  const base = at('graph', version, session.io)
  return (await session.batch(calls, answer)).map((read, place) => {
    const begins = calls[place]?.query !== undefined
    if (read instanceof ApiError) return needsResync(read) && !begins ? 'resync' : read
    const { value: items, '@odata.nextLink': next, '@odata.deltaLink': last = '' } = read
    return { items, link: graphPath(next ?? last, base), more: next !== undefined }
  })
}
