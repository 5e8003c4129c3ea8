/**
 * Reads the state of all folders of an account in one round trip, optionally together with a prefetch.
 *
 * A server reports changes of the selected folder only after a command such as NOOP. Waiting for a NOOP first would cost a
 * round trip that is nearly always useless. So LIST, the prefetch and NOOP are written together, and the result counts if
 * the server reports no change of the folder until all three are done. Otherwise the folders are listed again and the
 * prefetched messages are dropped.
 */
import type { ImapFlow } from 'imapflow'
import { checkOpen } from '../client/commands.ts'
import { pipelined } from '../client/pipelining.ts'
import { listenForNews } from '../client/unsolicited-responses.ts'
import type { FolderState } from '../folder-state.ts'
import { listFolders } from './folder-list.ts'

/** A fetch that runs together with the listing, on the connection that has its folder selected. */
export interface Prefetch {
  path: string
  uids: ReadonlySet<number>
  /** Never rejects. */
  run(client: ImapFlow): Promise<void>
  /** Stores the fetched messages. Called only if they are no older than this state of the folder. */
  keep(state: FolderState): void
}

/** The current folders. If a folder is selected, the connection has received all its changes. */
export async function readFolders(client: ImapFlow, prefetch?: Prefetch): Promise<FolderState[]> {
  const { mailbox } = client
  if (!mailbox) return listFolders(client)
  const matching = mailbox.path === prefetch?.path ? prefetch : undefined
  const listener = listenForNews(client, matching?.uids)
  try {
    const [listing, ...others] = pipelined(client, () => [
      listFolders(client),
      matching?.run(client),
      client.noop().catch(() => false),
    ])
    const folders = await listing
    await Promise.all(others)
    checkOpen(client)
    if (!listener.hasNews) {
      const state = folders.find(({ path }) => path === matching?.path)
      if (state) matching?.keep(state)
      return folders
    }
  } finally {
    listener.stop()
  }
  return listFolders(client)
}
