/** How messages are marked, moved and deleted. Their ids are immutable ones, so they stay the same. */
import { ApiError } from '@waypost/platform/api-error'
import { folderIn, noSuchTarget } from '../../mail/one-folder.ts'
import type { MailChange } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { type GraphMessage, graphMessage, idPath, type Mailbox, orNotFound } from './mail-api.ts'
import { wellKnownIds } from './well-known-folders.ts'

export const targetIn = (change: Pick<MailChange, 'folders'>): string | undefined => folderIn(change, 'Microsoft')

interface ChangeCall {
  method: 'POST' | 'PATCH'
  path: string
  body: object
}

/** Makes one call directly and several in a batch. The results are in the order of the calls. */
async function callEach({ session }: Mailbox, calls: readonly ChangeCall[]): Promise<(GraphMessage | ApiError)[]> {
  const [first, ...others] = calls
  if (!first || others.length > 0) return session.batch(calls, graphMessage)
  const { method, path, body } = first
  return [
    await session.call(method, path, { body, read: graphMessage }).catch((error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    }),
  ]
}

const changePath = (mailbox: Mailbox, { id }: GraphMessage): string => mailbox.path(`messages/${idPath('message', id)}`)

export async function moveAll(
  mailbox: Mailbox,
  messages: readonly GraphMessage[],
  folder: string,
): Promise<GraphMessage[]> {
  const moving = messages.filter(({ parentFolderId }) => parentFolderId !== folder)
  const answers = await callEach(
    mailbox,
    moving.map((message) => ({
      method: 'POST',
      path: `${changePath(mailbox, message)}/move`,
      body: { destinationId: folder },
    })),
  )
  const moved = new Map(
    moving.map((message, place) => {
      const answer = answers[place]
      // The message existed a moment ago, so what is missing is the folder.
      if (answer instanceof ApiError) throw isMissing(answer) ? noSuchTarget() : answer
      return [message, { ...message, parentFolderId: answer?.parentFolderId ?? folder }] as const
    }),
  )
  return messages.map((message) => moved.get(message) ?? message)
}

/** The marks of a message that a change sets to another value. */
function marksOf(message: GraphMessage, { unread, starred }: MailChange): Partial<GraphMessage> {
  const isStarred = message.flag?.flagStatus === 'flagged'
  return {
    ...(unread === undefined || unread === (message.isRead === false) ? {} : { isRead: !unread }),
    ...(starred === undefined || starred === isStarred
      ? {}
      : { flag: { flagStatus: starred ? 'flagged' : 'notFlagged' } }),
  }
}

export async function markAll(
  mailbox: Mailbox,
  messages: readonly GraphMessage[],
  change: MailChange,
): Promise<GraphMessage[]> {
  const changes = messages.map((message) => ({ message, marks: marksOf(message, change) }))
  const marked = changes.filter(({ marks }) => Object.keys(marks).length > 0)
  const answers = await callEach(
    mailbox,
    marked.map(({ message, marks }) => ({ method: 'PATCH', path: changePath(mailbox, message), body: marks })),
  )
  for (const answer of answers) {
    if (answer instanceof ApiError) throw isMissing(answer) ? notFound('message') : answer
  }
  return changes.map(({ message, marks }) => ({ ...message, ...marks }))
}

export const trashOf = async (mailbox: Mailbox): Promise<string> =>
  (await wellKnownIds(mailbox)).get('deleteditems') ?? 'deleteditems'

export const removeForEver = (mailbox: Mailbox, what: 'message' | 'draft', id: string): Promise<void> =>
  orNotFound(what, () =>
    mailbox.session.execute('POST', `${mailbox.path(`messages/${idPath(what, id)}`)}/permanentDelete`),
  )
