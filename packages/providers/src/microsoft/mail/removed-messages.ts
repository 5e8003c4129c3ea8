/**
 * Messages that left a folder, as a delta query reports them: they were moved or deleted. Immutable ids stay when a
 * message is moved, so the message itself is read. It was deleted if Graph does not find it, or if it is among the
 * recoverable items, which only administrators restore.
 */
import { ApiError } from '@waypost/platform/api-error'
import { RecentIds } from '../../shared/recent-ids.ts'
import { isMissing } from '../errors.ts'
import { graphMessage, idPath, type Mailbox, named } from './mail-api.ts'

const limits = { hashLength: 8, max: 1_000 }

/** Messages whose deletion is not notified: drafts, and those that were notified already. */
export const silentOf = ({ silent = {} }: { silent?: Record<string, number> }): RecentIds =>
  new RecentIds(silent, limits)

/** The messages that were deleted, of those that left a folder. */
export async function deletedAmong(mailbox: Mailbox, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const hidden = await recoverableId(mailbox)
  const calls = ids.map((id) => ({
    path: mailbox.path(`messages/${idPath('message', id)}`),
    query: { $select: 'id,parentFolderId' },
  }))
  const answers = await mailbox.session.batch(calls, graphMessage)
  return ids.filter((_, place) => {
    const answer = answers[place]
    if (!(answer instanceof ApiError)) return answer !== undefined && answer.parentFolderId === hidden
    // Whether it still exists is unknown, so the round is repeated.
    if (!isMissing(answer)) throw answer
    return true
  })
}

/** The id of the folder of recoverable items; undefined if the account has none or may not read it. */
async function recoverableId({ session, path }: Mailbox): Promise<string | undefined> {
  const [answer] = await session.batch(
    [{ path: path('mailFolders/recoverableitemsdeletions'), query: { $select: 'id' } }],
    named,
  )
  if (!(answer instanceof ApiError)) return answer?.id
  if (isMissing(answer) || answer.code === 'provider_refused') return undefined
  throw answer
}
