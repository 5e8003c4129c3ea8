/**
 * What imapflow keeps of a listing and never reads again: of every folder all that was said of it, for as long as the
 * connection is open. Before it selects a folder it looks for four words; without an entry it would ask for them.
 */
import type { ImapFlow } from 'imapflow'

interface ListedFolder {
  delimiter?: string | undefined
  specialUse?: string | undefined
  subscribed?: boolean | undefined
  listed?: boolean | undefined
}

/** What is used of imapflow's insides. */
interface Inside {
  folders?: Map<string, ListedFolder>
  rawCapabilities?: unknown
}

/** Lets go of it, once a listing is read. Folders of which the same is said share what is left. */
export function dropLeftovers(client: ImapFlow): void {
  const inside = client as unknown as Inside
  // What follows from them is kept apart.
  inside.rawCapabilities = null
  const { folders } = inside
  if (!(folders instanceof Map)) return
  const alike = new Map<string, ListedFolder>()
  for (const [path, { delimiter, specialUse, subscribed, listed }] of folders) {
    const key = `${delimiter} ${specialUse} ${subscribed} ${listed}`
    const said = alike.get(key) ?? { delimiter, specialUse, subscribed, listed }
    alike.set(key, said)
    folders.set(path, said)
  }
}

/** Spares a connection the listing of a folder before it is selected: the account's folders are known from another one. */
export function takeAsListed(client: ImapFlow, path: string): void {
  const { folders } = client as unknown as Inside
  if (folders instanceof Map && !folders.has(path)) folders.set(path, {})
}
