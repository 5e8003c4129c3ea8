/** The folders of an account, as the server lists them now, with what tells whether anything in them changed. */
import type { ImapFlow, ListResponse } from 'imapflow'

export interface FolderState {
  path: string
  delimiter: string
  attributes: string[]
  /** `\Inbox`, `\Sent` … where the server, or the name, says so. */
  use?: string | undefined
  messages: number
  unseen: number
  uidNext: number
  uidValidity: string
  /** Grows with every change, where the server counts them. */
  modseq?: string | undefined
}

const asked = { messages: true, unseen: true, uidNext: true, uidValidity: true, highestModseq: true } as const

/** Lists all folders that can hold mail. */
export async function listFolders(client: ImapFlow): Promise<FolderState[]> {
  const listed = await client.list({ statusQuery: asked })
  return listed.filter(isSelectable).map(stateOf)
}

const isSelectable = ({ flags }: ListResponse): boolean => !flags.has('\\Noselect') && !flags.has('\\NonExistent')

/** Attributes that say something of the folder, not of the listing. */
const uses = new Map(
  ['\\Inbox', '\\Sent', '\\Drafts', '\\Trash', '\\Junk', '\\Archive', '\\All', '\\Flagged', '\\Important'].map(
    (name) => [name.toLowerCase(), name] as const,
  ),
)

/** What a server says of a folder today and not tomorrow. */
const passing = new Set(['\\marked', '\\unmarked', '\\subscribed'])

function stateOf({ path, delimiter, flags, specialUse, status }: ListResponse): FolderState {
  const use = specialUse ? (uses.get(specialUse.toLowerCase()) ?? specialUse) : undefined
  const others = [...flags].filter((flag) => !uses.has(flag.toLowerCase()) && !passing.has(flag.toLowerCase()))
  const said = [...flags].flatMap((flag) => uses.get(flag.toLowerCase()) ?? [])
  return {
    path,
    delimiter,
    use,
    attributes: [...new Set([...(use ? [use] : []), ...said, ...others])],
    messages: status?.messages ?? 0,
    unseen: status?.unseen ?? 0,
    uidNext: status?.uidNext ?? 0,
    uidValidity: String(status?.uidValidity ?? ''),
    modseq: status?.highestModseq === undefined ? undefined : String(status.highestModseq),
  }
}

/** Whether two looks at a folder saw the same messages: none came, and so none can have gone if there are as many. */
export const hasSameMessages = (a: FolderState, b: FolderState): boolean =>
  a.uidValidity === b.uidValidity && a.uidNext === b.uidNext && a.messages === b.messages
