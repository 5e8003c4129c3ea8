/** One connection of an account, and what is done with it before it is used. */
import type { ImapFlow } from 'imapflow'
import { checkOpen } from '../client/commands.ts'
import { skipListing } from '../client/listed-folders.ts'

export interface Use {
  signal: AbortSignal
  /** The folder to have selected. */
  path?: string | undefined
  /** Which folder of that path is meant: one that was deleted and made anew has another. */
  uidValidity?: string | undefined
  /** Best on a connection that has this folder selected, but on any. */
  near?: string | undefined
  /** The work itself has the server catch up with the folder that is selected, whichever that is. */
  catchesUp?: boolean
  /** Long work leaves a connection for the others. */
  long?: boolean
  /** A folder that is selected and caught up since then is as new as it must be; `performance.now()`. */
  caughtUpSince?: number | undefined
}

export interface PooledConnection {
  client: ImapFlow
  busy: boolean
  long: boolean
  usedAt: number
  /** The connection knows all changes of the selected folder up to this time (`performance.now()`). */
  caughtUpAt: number
}

/** A connection that was quiet for longer may be dead: it is asked before it is used. */
const probeAfterMs = 10_000
const probeMs = 3_000

export const isSelected = (client: ImapFlow, path: string | undefined): boolean =>
  path === undefined || (client.mailbox !== false && client.mailbox.path === path)

const isMeant = ({ mailbox }: ImapFlow, uidValidity: string | undefined): boolean =>
  !uidValidity || !mailbox || mailbox.uidValidity === undefined || String(mailbox.uidValidity) === uidValidity

const isCaughtUp = ({ caughtUpAt }: PooledConnection, since: number | undefined): boolean =>
  since !== undefined && caughtUpAt >= since

/** Selects the folder of a use; one that is selected already only catches up with what happened in it. */
export async function select(
  connection: PooledConnection,
  { path, uidValidity, caughtUpSince, catchesUp }: Use,
): Promise<void> {
  const { client } = connection
  if (catchesUp) return
  if (path === undefined) {
    // Of the folder that is selected a server tells what it told before, until it is asked to catch up.
    if (!client.mailbox || isCaughtUp(connection, caughtUpSince)) return
    connection.caughtUpAt = performance.now()
    await client.noop()
    checkOpen(client)
    return
  }
  if (isSelected(client, path) && isMeant(client, uidValidity)) {
    if (isCaughtUp(connection, caughtUpSince)) return
    connection.caughtUpAt = performance.now()
    await client.noop()
    checkOpen(client)
    return
  }
  connection.caughtUpAt = performance.now()
  skipListing(client, path)
  await client.mailboxOpen(path)
  checkOpen(client)
}

/** Whether a connection that was quiet still answers. */
export async function isAlive(connection: PooledConnection): Promise<boolean> {
  if (!connection.client.usable) return false
  if (performance.now() - connection.usedAt < probeAfterMs) return true
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, probeMs, false)
  })
  const answer = connection.client.noop().then(
    () => connection.client.usable,
    () => false,
  )
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}
