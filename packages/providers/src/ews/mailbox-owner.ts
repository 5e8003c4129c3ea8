/**
 * The owner of a mailbox, as the server reports it. A user must not connect their own mailbox under another person's
 * address, so the default inbox must be the inbox of the address.
 */
import { ApiError } from '@waypost/platform/api-error'
import { withoutRouting } from './contacts/mapping/contact.ts'
import { EwsError, hasCode } from './errors.ts'
import type { Login } from './login.ts'
import { GetFolder } from './operations/folders.ts'
import { ResolveNames } from './operations/resolve-names.ts'
import type { EwsClient } from './soap/client.ts'
import type { Folder } from './types/folder.ts'
import { distinguished } from './types/ids.ts'
import { property, propertyText, tag } from './types/paths.ts'
import { idAnd } from './types/shapes.ts'

/** The owner of a mailbox in the directory. */
export interface Owner {
  /** The primary address. */
  address: string
  name: string | undefined
}

/**
 * Opens the mailbox of a login and returns its owner. Throws if there is none, or if the address belongs to another
 * mailbox.
 */
export async function ownerOf(client: EwsClient, login: Login): Promise<Owner> {
  await openMailbox(client, login)
  const found = await findInDirectory(client, login.address)
  if (!found?.address || isSame(found.address, login.address)) return { address: login.address, name: found?.name }
  // The address is an alias of the mailbox.
  const isOwn = await openMailbox(client, { ...login, address: found.address }).then(
    () => true,
    () => false,
  )
  return isOwn ? found : { address: login.address, name: undefined }
}

/** Impersonation is checked too: a server that does not support it would open the mailbox of the user. */
async function openMailbox(client: EwsClient, login: Login): Promise<void> {
  const [mine, named] = await client.each(GetFolder, {
    FolderShape: idAnd(property(entryId)),
    FolderIds: [distinguished('inbox'), distinguished('inbox', login.address)],
  })
  if (mine === undefined || mine instanceof EwsError) throw mine ?? new ApiError('provider_unavailable')
  if (!isOwnMailbox(mine, named, login)) throw otherMailbox(login, named)
}

interface InboxFolder {
  Folders?: readonly Folder[] | undefined
}
type InboxAnswer = InboxFolder | EwsError | undefined

/** The store's id of a folder (PidTagEntryId), which does not depend on how the mailbox was named. */
const entryId = tag('0x0FFF', 'Binary')

/** The ids of a folder; one common id means that it is the same folder. */
const idsOf = (answer: InboxFolder | undefined): (string | undefined)[] => {
  const [folder] = answer?.Folders ?? []
  return [folder?.FolderId?.Id, propertyText(folder?.ExtendedProperty, entryId)]
}

/**
 * Whether the inbox of the address is the default inbox. If a server opens no inbox by address, the user has still
 * signed in under that very address. If it answers that there is no such mailbox, or that it is not the user's, it is
 * believed.
 */
function isOwnMailbox(mine: InboxFolder, named: InboxAnswer, { user, address, isImpersonated }: Login): boolean {
  if (!(named instanceof EwsError)) {
    const ids = idsOf(named)
    return idsOf(mine).some((id, index) => id !== undefined && id === ids[index])
  }
  return isSame(user, address) && !isImpersonated && !hasCode(named, ...strange)
}

const strange = ['ErrorNonExistentMailbox', 'ErrorAccessDenied', 'ErrorItemNotFound', 'ErrorFolderNotFound'] as const

function otherMailbox({ address, isImpersonated }: Login, named: InboxAnswer): ApiError {
  const field = isImpersonated ? 'settings.ews_impersonation' : 'settings.email'
  const words = isImpersonated
    ? 'the server did not open the mailbox of email in the place of the user: it knows no impersonation'
    : hasCode(named, 'ErrorNonExistentMailbox')
      ? `there is no mailbox of the address ${address} at this Exchange server: give the address of the user's mailbox`
      : `${address} is not the user's own mailbox: what others share with the user is read with shared_from`
  return new ApiError('authentication_failed', `${field}: ${words}`, {
    fields: { reason: 'mailbox_failed', field },
    cause: named instanceof EwsError ? named : undefined,
  })
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The directory entry of an address, with the name and the primary address; undefined if it cannot be read. */
async function findInDirectory(client: EwsClient, address: string): Promise<Owner | undefined> {
  try {
    const byName = await resolve(client, address)
    const found =
      byName.find((each) => isSame(each.address, address)) ?? byName.find(({ others }) => others.has(key(address)))
    if (found) return found
    // The directory finds aliases only with the prefix.
    const [exact, ...more] = await resolve(client, `smtp:${address}`)
    return more.length === 0 ? exact : undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    return undefined
  }
}

const key = (address: string): string => withoutRouting(address).toLowerCase()

async function resolve(client: EwsClient, entry: string): Promise<(Owner & { others: ReadonlySet<string> })[]> {
  const requested = { ReturnFullContactData: true, SearchScope: 'ActiveDirectory', UnresolvedEntry: entry } as const
  const [answer] = await client.each(ResolveNames, requested)
  if (answer === undefined || answer instanceof EwsError) return []
  return (answer.ResolutionSet ?? []).flatMap(({ Mailbox, Contact }) => {
    const address = withoutRouting(Mailbox?.EmailAddress ?? '')
    if (!address.includes('@')) return []
    const others = new Set((Contact?.EmailAddresses ?? []).map(({ value }) => key(value ?? '')))
    return [{ address, name: Mailbox?.Name, others }]
  })
}
