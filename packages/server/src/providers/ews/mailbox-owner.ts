/**
 * Whose mailbox an account opens, as its server says: nobody is to put somebody else's address on a mailbox of their own.
 * The inbox that opens by itself must be the inbox of the address.
 */
import { ApiError } from '../../lib/api-error.ts'
import { EwsError, hasCode } from './errors.ts'
import type { Login } from './login.ts'
import { GetFolder } from './operations/folders.ts'
import type { EwsClient } from './soap/client.ts'
import type { Folder } from './types/folder.ts'
import { type AnyFolderId, distinguished } from './types/ids.ts'
import { idAnd } from './types/shapes.ts'

const idOf = (folder: Folder | undefined): string | undefined => folder?.FolderId?.Id

/** Opens the mailbox of a login; throws where there is none, or where the address is of another one. */
export async function openMailbox(client: EwsClient, login: Login): Promise<void> {
  const own = distinguished('inbox')
  // Whoever impersonates says whose mailbox is meant, and the server looks whether that is its first address.
  if (login.isImpersonated) return void (await inboxes(client, [own]))
  const [mine, named] = await inboxes(client, [own, distinguished('inbox', login.address)])
  if (mine instanceof EwsError) throw mine
  if (named instanceof EwsError ? isOfUser(named, login) : named !== undefined && named === mine) return
  throw otherMailbox(login.address, named)
}

/** The ids of folders, or why they are not opened; throws where the first is not. */
async function inboxes(client: EwsClient, FolderIds: AnyFolderId[]): Promise<(string | EwsError | undefined)[]> {
  const answers = await client.each(GetFolder, { FolderShape: idAnd(), FolderIds })
  const [first] = answers
  if (first === undefined || first instanceof EwsError) throw first ?? new ApiError('provider_unavailable')
  return answers.map((answer) => (answer instanceof EwsError ? answer : idOf(answer.Folders?.[0])))
}

/**
 * A server that opens no mailbox by an address has still let the user in under that very address. One that says that it has
 * no such mailbox, or that it is not the user's, is believed.
 */
const isOfUser = (error: EwsError, { user, address }: Login): boolean =>
  user.toLowerCase() === address.toLowerCase() &&
  !hasCode(error, 'ErrorNonExistentMailbox', 'ErrorAccessDenied', 'ErrorItemNotFound', 'ErrorFolderNotFound')

function otherMailbox(address: string, named: string | EwsError | undefined): ApiError {
  const words = hasCode(named, 'ErrorNonExistentMailbox')
    ? `there is no mailbox of the address ${address} at this Exchange server`
    : `${address} is not the mailbox of the user: give the address of the user's own mailbox; what others share with it is read with shared_from`
  return new ApiError('authentication_failed', `settings.email: ${words}`, {
    fields: { reason: 'mailbox_failed', field: 'settings.email' },
    cause: named,
  })
}
