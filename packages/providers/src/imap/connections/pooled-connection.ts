/** One connection of a pool, and the steps before it is used. */
import type { ImapFlow } from 'imapflow'
import type { ImapTraits } from '../../mail/vendors.ts'
import { checkOpen, skipListing } from '../client/commands.ts'

export interface Use {
  signal: AbortSignal
  /** The folder to select. */
  path?: string | undefined
  /** UIDVALIDITY of the folder: a deleted and recreated folder has another one. */
  uidValidity?: string | undefined
  /** Prefer a connection that has this folder selected. */
  near?: string | undefined
  /** The work itself receives pending changes of the selected folder (NOOP). */
  catchesUp?: boolean
  /** Long work leaves a connection for others. */
  long?: boolean
  /** No NOOP is needed if the selected folder has received its changes since this time (`performance.now()`). */
  caughtUpSince?: number | undefined
}

export interface PooledConnection {
  client: ImapFlow
  busy: boolean
  long: boolean
  usedAt: number
  /** All changes of the selected folder up to this time are received (`performance.now()`). */
  caughtUpAt: number
}

/** A connection that was idle for longer may be dead, so it is probed first. */
const probeAfterMs = 10_000
const probeMs = 3_000

export const isSelected = (client: ImapFlow, path: string | undefined): boolean =>
  path === undefined || (client.mailbox !== false && client.mailbox.path === path)

const isMeant = ({ mailbox }: ImapFlow, uidValidity: string | undefined): boolean =>
  !uidValidity || !mailbox || mailbox.uidValidity === undefined || String(mailbox.uidValidity) === uidValidity

const isCaughtUp = ({ caughtUpAt }: PooledConnection, since: number | undefined): boolean =>
  since !== undefined && caughtUpAt >= since

/** Selects the folder; if it is selected already, only receives its changes. */
export async function select(
  connection: PooledConnection,
  { path, uidValidity, caughtUpSince, catchesUp }: Use,
): Promise<void> {
  const { client } = connection
  if (catchesUp) return
  if (path === undefined) {
    // A server reports changes of the selected folder only after a command such as NOOP.
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

/** Whether an idle connection still responds. */
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

/** Server-specific traits of connections, for code that only has the connection. */
const traits = new WeakMap<ImapFlow, ImapTraits>()

const none: ImapTraits = {}

export const setTraits = (client: ImapFlow, known: ImapTraits): void => void traits.set(client, known)

export const traitsOf = (client: ImapFlow): ImapTraits => traits.get(client) ?? none
