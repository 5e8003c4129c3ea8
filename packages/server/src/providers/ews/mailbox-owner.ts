/**
 * Whose mailbox an account opens, as its server says: nobody is to put somebody else's address on a mailbox of their own.
 * The inbox that opens by itself must be the inbox of the address.
 */
import { ApiError } from '../../lib/api-error.ts'
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

/** Who the owner of a mailbox is, as the server knows them. */
export interface Owner {
  /** The primary address. */
  address: string
  name: string | undefined
}

/** Opens the mailbox of a login and says whose it is; throws where there is none, or where the address is of another one. */
export async function ownerOf(client: EwsClient, login: Login): Promise<Owner> {
  await openMailbox(client, login)
  const found = await findInDirectory(client, login.address)
  if (!found?.address || isSame(found.address, login.address)) return { address: login.address, name: found?.name }
  // The address is a further one of the mailbox.
  const isOwn = await openMailbox(client, { ...login, address: found.address }).then(
    () => true,
    () => false,
  )
  return isOwn ? found : { address: login.address, name: undefined }
}

/** Asked so of whoever impersonates, too: a server that does not know what that is would open the mailbox of the user. */
async function openMailbox(client: EwsClient, login: Login): Promise<void> {
  const [mine, named] = await client.each(GetFolder, {
    FolderShape: idAnd(property(entryId)),
    FolderIds: [distinguished('inbox'), distinguished('inbox', login.address)],
  })
  if (mine === undefined || mine instanceof EwsError) throw mine ?? new ApiError('provider_unavailable')
  if (!isOwnMailbox(mine, named, login)) throw otherMailbox(login, named)
}

interface Opened {
  Folders?: readonly Folder[] | undefined
}
type InboxAnswer = Opened | EwsError | undefined

/** What the store calls a folder (PidTagEntryId), however the mailbox was named that it is asked for in. */
const entryId = tag('0x0FFF', 'Binary')

/** The ids of a folder, of which one that is the same says that it is the same folder. */
const idsOf = (answer: Opened | undefined): (string | undefined)[] => {
  const [folder] = answer?.Folders ?? []
  return [folder?.FolderId?.Id, propertyText(folder?.ExtendedProperty, entryId)]
}

/**
 * Whether the inbox of the address is the one that opens by itself. A server that opens none by an address has still let the
 * user in under that very address; one that says that there is no such mailbox, or that it is not the user's, is believed.
 */
function isOwnMailbox(mine: Opened, named: InboxAnswer, { user, address, isImpersonated }: Login): boolean {
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

/** The entry of an address in the directory, which has the name and the primary address; none where it cannot be read. */
async function findInDirectory(client: EwsClient, address: string): Promise<Owner | undefined> {
  try {
    const byName = await resolve(client, address)
    const found =
      byName.find((each) => isSame(each.address, address)) ?? byName.find(({ others }) => others.has(key(address)))
    if (found) return found
    // The directory finds further addresses only where it is told that it is one.
    const [exact, ...more] = await resolve(client, `smtp:${address}`)
    return more.length === 0 ? exact : undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    return undefined
  }
}

const key = (address: string): string => withoutRouting(address).toLowerCase()

async function resolve(client: EwsClient, entry: string): Promise<(Owner & { others: ReadonlySet<string> })[]> {
  const asked = { ReturnFullContactData: true, SearchScope: 'ActiveDirectory', UnresolvedEntry: entry } as const
  const [answer] = await client.each(ResolveNames, asked)
  if (answer === undefined || answer instanceof EwsError) return []
  return (answer.ResolutionSet ?? []).flatMap(({ Mailbox, Contact }) => {
    const address = withoutRouting(Mailbox?.EmailAddress ?? '')
    if (!address.includes('@')) return []
    const others = new Set((Contact?.EmailAddresses ?? []).map(({ value }) => key(value ?? '')))
    return [{ address, name: Mailbox?.Name, others }]
  })
}
