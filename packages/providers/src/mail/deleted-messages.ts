/** Notifications of deleted messages, for all providers. */
import type { Change } from '../provider.ts'

export type MessageDeleted = Extract<Change, { trigger: 'message.deleted' }>

/** Messages that are in no folder of the mailbox any more. */
export const deletedMessages = (
  ids: Iterable<string>,
  { grantId, happenedAt }: { grantId: string; happenedAt: number },
): MessageDeleted[] =>
  Array.from(ids, (id) => ({
    trigger: 'message.deleted',
    object: { id, grant_id: grantId, object: 'message' },
    happenedAt,
  }))
