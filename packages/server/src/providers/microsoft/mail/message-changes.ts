/** How messages are marked, moved and deleted. Their ids stay: they are immutable ones. */
import { folderIn, noSuchTarget } from '../../mail/one-folder.ts'
import type { MailChange } from '../../operations.ts'
import type { Named } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { type GraphMessage, graphMessage, idPath, type Mailbox, orNotFound } from './mail-api.ts'
import { readMessage } from './reading.ts'
import { wellKnownIds } from './well-known-folders.ts'

/** What a failure to move a message means: it was there a moment ago, so what is missing is the folder. */
export const badFolder = (error: unknown): unknown => (isMissing(error) ? noSuchTarget() : error)

/** The marks of a message that a change sets to something else. */
export function marksOf(message: GraphMessage, { unread, starred }: MailChange): Partial<GraphMessage> {
  const isStarred = message.flag?.flagStatus === 'flagged'
  return {
    ...(unread === undefined || unread === (message.isRead === false) ? {} : { isRead: !unread }),
    ...(starred === undefined || starred === isStarred
      ? {}
      : { flag: { flagStatus: starred ? 'flagged' : 'notFlagged' } }),
  }
}

export const changePath = (mailbox: Mailbox, id: string): string => mailbox.path(`messages/${idPath('message', id)}`)

/** Puts a message into a folder; answers where it is then. */
export async function moveMessage(mailbox: Mailbox, id: string, folder: string): Promise<string | undefined> {
  const options = { body: { destinationId: folder }, read: graphMessage }
  try {
    const { parentFolderId } = await mailbox.session.call('POST', `${changePath(mailbox, id)}/move`, options)
    return parentFolderId
  } catch (error) {
    throw badFolder(error)
  }
}

/** Changes a message that was read; answers what it is then. First it is moved, so that nothing is done where that fails. */
export async function changeMessage(
  mailbox: Mailbox,
  message: GraphMessage,
  change: MailChange,
): Promise<GraphMessage> {
  const folder = folderIn(change, 'Microsoft')
  const marks = marksOf(message, change)
  let { parentFolderId } = message
  if (folder !== undefined && folder !== parentFolderId) {
    parentFolderId = (await moveMessage(mailbox, message.id, folder)) ?? folder
  }
  if (Object.keys(marks).length > 0) {
    await orNotFound('message', () =>
      mailbox.session.execute('PATCH', changePath(mailbox, message.id), { body: marks }),
    )
  }
  return { ...message, ...marks, ...(parentFolderId === undefined ? {} : { parentFolderId }) }
}

const whereabouts = { properties: ['id', 'parentFolderId'], attachments: false }

/** Moves a message to the trash, where it stays if it is there already. */
export async function moveToTrash(mailbox: Mailbox, id: string): Promise<void> {
  const { parentFolderId } = await readMessage(mailbox, id, whereabouts)
  const trash = (await wellKnownIds(mailbox)).get('deleteditems') ?? 'deleteditems'
  if (parentFolderId !== trash) await moveMessage(mailbox, id, trash)
}

/** Deletes it so that nobody finds it in the mailbox any more. */
export const removeForEver = (mailbox: Mailbox, what: Named & ('message' | 'draft'), id: string): Promise<void> =>
  orNotFound(what, () =>
    mailbox.session.execute('POST', `${mailbox.path(`messages/${idPath(what, id)}`)}/permanentDelete`),
  )
