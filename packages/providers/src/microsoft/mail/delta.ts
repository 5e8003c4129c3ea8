/**
 * Changes by Graph's delta queries (https://learn.microsoft.com/graph/delta-query-messages): one query for the
 * folders of a mailbox, and one for the messages of each folder. They are made in as few batches as possible. Links
 * are stored as paths.
 */
import { ApiError } from '@waypost/platform/api-error'
import { flag, instant, nonEmptyText, object, type Read, text } from '@waypost/platform/json/reader'
import { timeText } from '../../mail/exchange/mapping.ts'
import { needsResync } from '../errors.ts'
import { graphPath } from '../graph-links.ts'
import { changesOf } from '../graph-pages.ts'
import { type BatchCall, version } from '../session.ts'
import { at } from '../token-endpoint.ts'
import { idPath, type Mailbox } from './mail-api.ts'

const removed = object({}, { reason: text })

/** A message or folder that was created, changed or deleted; a change may contain only the changed fields. */
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

/** One page of changes. */
export interface Delta {
  items: DeltaItem[]
  link: string
  /** Whether the round has more pages. */
  more: boolean
}

const messagesPerPage = ['odata.maxpagesize=50']
const foldersPerPage = ['odata.maxpagesize=200']

/** Continues with a link, or starts with all folders. */
export const treeCall = (mailbox: Mailbox, link: string | undefined): BatchCall =>
  link === undefined
    ? {
        path: mailbox.path('mailFolders/delta'),
        query: { $select: 'id,displayName,parentFolderId,isHidden' },
        prefer: foldersPerPage,
      }
    : { path: link, prefer: foldersPerPage }

/** Continues with a link, or starts with the messages of a folder since a time in seconds. */
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
          // A filtered round returns at most 5,000 messages, which must include the newest.
          $orderby: 'receivedDateTime desc',
        },
        prefer: messagesPerPage,
      }
    : { path: link, prefer: messagesPerPage }

const sinceFilter = (seconds: number): string => `receivedDateTime ge ${timeText(seconds)}`

/** One page of each; `resync` if Graph has forgotten a link. */
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
