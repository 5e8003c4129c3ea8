/**
 * Reads one folder of the system's own mailbox, which belongs to no grant: from a UID on, read-only, waiting for new
 * messages.
 */
import type { ImapFlow } from 'imapflow'
import type { Account } from '../mail/server-account.ts'
import { fetchByUid } from './client/commands.ts'
import { type ConnectIo, connect } from './client/connect.ts'
import { waitForChange } from './client/idle.ts'
import { searchUids, since } from './index/search.ts'

export interface FolderReader extends AsyncDisposable {
  /** UIDVALIDITY of the folder. */
  readonly validity: number
  /** Whether the server reports new messages, so that polling is unnecessary. */
  readonly tells: boolean
  /** The UIDs above `uid`, ascending; with a time (Unix seconds), only those received since. */
  uidsAfter(uid: number, from?: number): Promise<number[]>
  /** The messages that are no larger than `maxBytes`. */
  sources(uids: readonly number[], maxBytes: number): Promise<{ uid: number; source: Buffer }[]>
  /** Waits until there may be new messages, at most this long. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Connects, logs in and opens the folder read-only. */
export async function openFolderReader(account: Account, folder: string, io: ConnectIo): Promise<FolderReader> {
  const { client } = await connect(account, io)
  const close = (): void => client.close()
  io.signal.addEventListener('abort', close)
  try {
    const { uidValidity } = await client.mailboxOpen(folder, { readOnly: true })
    return readerOn(client, Number(uidValidity), () => io.signal.removeEventListener('abort', close))
  } catch (error) {
    io.signal.removeEventListener('abort', close)
    close()
    throw error
  }
}

function readerOn(client: ImapFlow, validity: number, ended: () => void): FolderReader {
  let isReported = false
  let refusesIdle = false
  let over: (() => void) | undefined
  // Changes may also be reported between two waits.
  client.on('exists', () => {
    isReported = true
    over?.()
  })
  return {
    validity,
    get tells() {
      return client.capabilities.has('IDLE') && !refusesIdle
    },
    async uidsAfter(uid, from) {
      isReported = false
      const recent = from === undefined ? [] : since(from)
      const found = await searchUids(client, [{ word: 'UID' }, { word: `${uid + 1}:*` }, ...recent])
      // For a range beyond the end, servers return the last message.
      return found.filter((one) => one > uid)
    },
    async sources(uids, maxBytes) {
      const sizes = await fetchByUid(client, uids.join(','), { size: true })
      const small = sizes.filter(({ size = 0 }) => size <= maxBytes).map(({ uid }) => uid)
      const messages = small.length === 0 ? [] : await fetchByUid(client, small.join(','), { source: true })
      return messages.flatMap(({ uid, source }) => (source ? [{ uid, source }] : []))
    },
    async wait(milliseconds, signal) {
      if (isReported) return
      const waited = await waitForChange(client, {
        idles: this.tells,
        milliseconds,
        pollMs: milliseconds,
        signal,
        started: (end) => {
          over = end
        },
        hasNews: () => isReported,
      })
      refusesIdle ||= waited.refusesIdle
    },
    async [Symbol.asyncDispose]() {
      ended()
      await client.logout().catch(() => client.close())
    },
  }
}
