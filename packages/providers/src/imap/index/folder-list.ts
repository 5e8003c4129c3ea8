/** Lists the folders of an account, with the counts that show whether anything in them changed. */
import { ApiError } from '@waypost/platform/api-error'
import type { ImapFlow, ListResponse, StatusObject } from 'imapflow'
import { ConnectionFailed } from '../../mail/connection-failed.ts'
import type { ImapTraits } from '../../mail/vendors.ts'
import { atom, execute } from '../client/commands.ts'
import { listUpTo } from '../client/fast-responses.ts'
import { traitsOf } from '../connections/pooled-connection.ts'
import { type FolderState, hasSameMessages } from '../folder-state.ts'

const requested = { messages: true, unseen: true, uidNext: true, uidValidity: true, highestModseq: true } as const

/** Accounts with more folders are rejected: each folder adds to the cost of every request. */
const maxFolders = 20_000

/** Lists all folders that can hold mail. */
export async function listFolders(client: ImapFlow): Promise<FolderState[]> {
  const listed = await listUpTo(client, maxFolders, () => client.list({ statusQuery: requested }))
  // Leaving some out would hide the mail in them.
  if (listed === 'more') throw new ApiError('provider_refused', `the account has more than ${maxFolders} folders`)
  const { folderUses } = traitsOf(client)
  const states = new Map<string, FolderState>()
  for (const folder of listed) {
    if (!isSelectable(folder) || states.has(folder.path)) continue
    const state = stateOf(withUse(folder, folderUses), statusOf(folder.status) ?? (await askAgain(client, folder.path)))
    // The server has folder ids (RFC 8474), which can be queried by this path.
    const isNamed = client.capabilities.has('OBJECTID')
    states.set(folder.path, isNamed ? { ...state, listedAs: folder.pathAsListed } : state)
  }
  // An interrupted listing is incomplete.
  if (!client.usable) throw new ConnectionFailed('connect', 'the connection was lost')
  return [...states.values()]
}

/** Adds the special use of a folder that only this vendor names this way. */
const withUse = (folder: ListedFolder, uses: ImapTraits['folderUses'] = {}): ListedFolder =>
  folder.specialUse || !Object.hasOwn(uses, folder.path) ? folder : { ...folder, specialUse: uses[folder.path] }

/** The status in a listing; it may also be missing or an error. */
const statusOf = (status: StatusObject | false | undefined): StatusObject | undefined =>
  status && status.messages !== undefined ? status : undefined

const askAgain = async (client: ImapFlow, path: string): Promise<StatusObject | undefined> =>
  statusOf(await client.status(path, requested).catch(() => undefined))

/** The current state of a folder if it differs from `state`; undefined if it is equal or unknown. */
export async function differenceFrom(client: ImapFlow, state: FolderState): Promise<string | undefined> {
  const status = await askAgain(client, state.path)
  if (!status) return undefined
  const now = stateOf({ ...state, flags: new Set() }, status)
  return hasSameMessages(state, now) && now.modseq === state.modseq
    ? undefined
    : `${now.uidValidity} ${now.uidNext} ${now.messages} ${now.modseq}`
}

const isSelectable = ({ flags }: ListResponse): boolean =>
  ![...flags].some((flag) => ['\\noselect', '\\nonexistent'].includes(flag.toLowerCase()))

/** Attributes that describe the use of the folder. */
const uses = new Map(
  ['\\Inbox', '\\Sent', '\\Drafts', '\\Trash', '\\Junk', '\\Archive', '\\All', '\\Flagged', '\\Important'].map(
    (name) => [name.toLowerCase(), name] as const,
  ),
)

const views = ['\\All', '\\Flagged', '\\Important']

/** Attributes that change over time. */
const passing = new Set(['\\marked', '\\unmarked', '\\subscribed'])

type ListedFolder = Pick<ListResponse, 'path' | 'delimiter' | 'flags'> & { specialUse?: string | undefined }

function stateOf({ path, delimiter, flags, specialUse }: ListedFolder, status: StatusObject | undefined): FolderState {
  const use = specialUse ? (uses.get(specialUse.toLowerCase()) ?? specialUse) : undefined
  const others = [...flags].filter((flag) => !uses.has(flag.toLowerCase()) && !passing.has(flag.toLowerCase()))
  const said = [...flags].flatMap((flag) => uses.get(flag.toLowerCase()) ?? [])
  return {
    path,
    delimiter,
    use,
    attributes: [...new Set([...(use ? [use] : []), ...said, ...others])],
    isView: said.some((flag) => views.includes(flag)),
    isOpen: status !== undefined,
    messages: status?.messages ?? 0,
    unseen: status?.unseen ?? 0,
    uidNext: status?.uidNext ?? 0,
    uidValidity: String(status?.uidValidity ?? ''),
    // 0 if the server counts changes, but not in this folder (RFC 7162 §3.1.2.2).
    modseq: status?.highestModseq ? String(status.highestModseq) : undefined,
    seenAt: performance.now(),
  }
}

/** Folders queried per poll; the others follow at the next polls. */
const atOnce = 100

/** Requests more than the id: unsolicited responses contain fewer items, which is how both are distinguished. */
const idItems = ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN', 'MAILBOXID'].map(atom)

const form = /^[\w-]{1,255}$/

/** Sets the ids of folders; empty if a folder has none or does not return it. */
export async function askMailboxIds(client: ImapFlow, folders: readonly FolderState[]): Promise<void> {
  for (const folder of folders.slice(0, atOnce)) {
    let id = ''
    const status = ({ attributes: [, items] = [] }: { attributes?: readonly unknown[] }): void => {
      id = idAmong(items)
    }
    try {
      await execute(client, 'STATUS', [folder.listedAs ?? '', idItems], { STATUS: status })
    } catch (error) {
      if ((error as { responseStatus?: unknown }).responseStatus === undefined) throw error
    }
    folder.mailboxId = id
  }
}

const textOf = (attribute: unknown): string =>
  String((attribute as { value?: unknown } | null | undefined)?.value ?? '')

/** The value in brackets after the item name. */
function idAmong(items: unknown): string {
  if (!Array.isArray(items)) return ''
  const at = items.findIndex((item) => textOf(item).toUpperCase() === 'MAILBOXID')
  const [id] = at !== -1 && Array.isArray(items[at + 1]) ? items[at + 1] : []
  return form.test(textOf(id)) ? textOf(id) : ''
}
