/**
 * The server's own folder ids (MAILBOXID, RFC 8474 §4), which survive a rename. Each folder is queried once and
 * separately: in listings of all folders, cyrus 3.6 returns wrong ids.
 */
import type { ImapFlow } from 'imapflow'
import { atom, execute } from '../client/commands.ts'
import type { FolderState } from '../folder-state.ts'

/** Folders queried per poll; the others follow at the next polls. */
const atOnce = 100

/** Requests more than the id, because unsolicited responses contain fewer items and are told apart by that. */
const requested = ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN', 'MAILBOXID'].map(atom)

const form = /^[\w-]{1,255}$/

/** Sets the ids of folders; empty if a folder has none or does not return it. */
export async function askMailboxIds(client: ImapFlow, folders: readonly FolderState[]): Promise<void> {
  for (const folder of folders.slice(0, atOnce)) {
    let id = ''
    const status = ({ attributes: [, items] = [] }: { attributes?: readonly unknown[] }): void => {
      id = idAmong(items)
    }
    try {
      await execute(client, 'STATUS', [folder.listedAs ?? '', requested], { STATUS: status })
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
