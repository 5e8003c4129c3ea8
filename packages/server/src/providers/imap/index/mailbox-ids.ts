/**
 * The server's own names of folders (MAILBOXID, RFC 8474 §4): they stay when a folder is renamed. A folder is asked for its
 * name once, and each by itself: in listings of all, servers tell names that are none (cyrus 3.6).
 */
import type { ImapFlow } from 'imapflow'
import { atom, execute } from '../client/commands.ts'
import type { FolderState } from './folder-list.ts'

/** So many are asked at a look; the others at the next ones. */
const atOnce = 100

/** With more than the name: what a server tells of folders by itself says less, and is not taken for an answer. */
const asked = ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN', 'MAILBOXID'].map(atom)

const form = /^[\w-]{1,255}$/

/** Gives folders their names; one that has none, or does not tell it, the empty one. */
export async function askMailboxIds(client: ImapFlow, folders: readonly FolderState[]): Promise<void> {
  for (const folder of folders.slice(0, atOnce)) {
    let id = ''
    const status = ({ attributes: [, items] = [] }: { attributes?: readonly unknown[] }): void => {
      id = idAmong(items)
    }
    try {
      await execute(client, 'STATUS', [folder.listedAs ?? '', asked], { STATUS: status })
    } catch (error) {
      if ((error as { responseStatus?: unknown }).responseStatus === undefined) throw error
    }
    folder.mailboxId = id
  }
}

const textOf = (attribute: unknown): string =>
  String((attribute as { value?: unknown } | null | undefined)?.value ?? '')

/** What stands in brackets behind the word. */
function idAmong(items: unknown): string {
  if (!Array.isArray(items)) return ''
  const at = items.findIndex((item) => textOf(item).toUpperCase() === 'MAILBOXID')
  const [id] = at !== -1 && Array.isArray(items[at + 1]) ? items[at + 1] : []
  return form.test(textOf(id)) ? textOf(id) : ''
}
