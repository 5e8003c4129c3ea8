/** The folders of an account, as the server lists them now, with what tells whether anything in them changed. */
import type { ImapFlow, ListResponse, StatusObject } from 'imapflow'
import { ApiError } from '../../../lib/api-error.ts'
import { ConnectionFailed } from '../../mail/connection-failed.ts'
import type { ImapTraits } from '../../mail/vendors.ts'
import { listUpTo } from '../client/fast-responses.ts'
import { traitsOf } from '../connections/traits.ts'

export interface FolderState {
  path: string
  delimiter: string
  attributes: string[]
  /** `\Inbox`, `\Sent` … where the server, or the name, says so. */
  use?: string | undefined
  /** Holds messages that lie elsewhere, such as all mail there is (RFC 6154 §2): they are neither put there nor taken out. */
  isView: boolean
  /** false: the server lists it and says nothing of it, so that it cannot be opened; it is left alone. */
  isOpen: boolean
  messages: number
  unseen: number
  /** 0 where the server does not say. */
  uidNext: number
  uidValidity: string
  /** Grows with every change, where the server counts them. */
  modseq?: string | undefined
  /** When this state was read, or a moment later (`performance.now()`). */
  seenAt: number
  /** Its path as the server writes it, where the server has names for folders beside their paths. */
  listedAs?: string | undefined
  /** That name, once it was asked for; empty where the folder has none. It stays when the folder is renamed. */
  mailboxId?: string | undefined
}

const asked = { messages: true, unseen: true, uidNext: true, uidValidity: true, highestModseq: true } as const

/** An account with more is not read: each takes its part of every look. */
const maxFolders = 20_000

/** Lists all folders that can hold mail. */
export async function listFolders(client: ImapFlow): Promise<FolderState[]> {
  const listed = await listUpTo(client, maxFolders, () => client.list({ statusQuery: asked }))
  // To leave some out would hide the mail in them.
  if (listed === 'more') throw new ApiError('provider_refused', `the account has more than ${maxFolders} folders`)
  const { folderUses } = traitsOf(client)
  const states = new Map<string, FolderState>()
  for (const folder of listed) {
    if (!isSelectable(folder) || states.has(folder.path)) continue
    const state = stateOf(withUse(folder, folderUses), statusOf(folder.status) ?? (await askAgain(client, folder.path)))
    // A server that names folders by more than their paths (RFC 8474) may be asked for it.
    const isNamed = client.capabilities.has('OBJECTID')
    states.set(folder.path, isNamed ? { ...state, listedAs: folder.pathAsListed } : state)
  }
  // Who is cut off in the middle has been told nothing of the rest.
  if (!client.usable) throw new ConnectionFailed('connect', 'the connection was lost')
  return [...states.values()]
}

/** A folder whose name alone says what it is for, at this server and not at others. */
const withUse = (folder: Listed, uses: ImapTraits['folderUses'] = {}): Listed =>
  folder.specialUse || !Object.hasOwn(uses, folder.path) ? folder : { ...folder, specialUse: uses[folder.path] }

/** What a listing says of a folder, if anything: an error, or nothing, stands there too. */
const statusOf = (status: StatusObject | false | undefined): StatusObject | undefined =>
  status && status.messages !== undefined ? status : undefined

const askAgain = async (client: ImapFlow, path: string): Promise<StatusObject | undefined> =>
  statusOf(await client.status(path, asked).catch(() => undefined))

/** What is told of a folder now where that is not what a look saw; undefined where it is, or is not told. */
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

/** Attributes that say something of the folder, not of the listing. */
const uses = new Map(
  ['\\Inbox', '\\Sent', '\\Drafts', '\\Trash', '\\Junk', '\\Archive', '\\All', '\\Flagged', '\\Important'].map(
    (name) => [name.toLowerCase(), name] as const,
  ),
)

const views = ['\\All', '\\Flagged', '\\Important']

/** What a server says of a folder today and not tomorrow. */
const passing = new Set(['\\marked', '\\unmarked', '\\subscribed'])

type Listed = Pick<ListResponse, 'path' | 'delimiter' | 'flags'> & { specialUse?: string | undefined }

function stateOf({ path, delimiter, flags, specialUse }: Listed, status: StatusObject | undefined): FolderState {
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
    // 0 where the server counts changes, but not in this folder (RFC 7162 §3.1.2.2).
    modseq: status?.highestModseq ? String(status.highestModseq) : undefined,
    seenAt: performance.now(),
  }
}

/** Whether two looks at a folder saw the same messages: none came, and so none can have gone if there are as many. */
export const hasSameMessages = (a: FolderState, b: FolderState): boolean =>
  (b.uidNext !== 0 || b.messages === 0) &&
  a.uidValidity === b.uidValidity &&
  a.uidNext === b.uidNext &&
  a.messages === b.messages
