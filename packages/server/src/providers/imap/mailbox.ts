/**
 * What this node keeps of an account in use: its connections, and an index of where its newest messages lie. All of it is
 * gone a minute after the last request.
 */
import type { ImapFlow } from 'imapflow'
import type { Account } from './account.ts'
import { type ConnectIo, connect } from './connection.ts'
import { type FolderState, hasSameMessages, listFolders } from './directory.ts'
import { type Entry, FolderIndex } from './folder-index.ts'
import type { Use } from './line.ts'
import { Pool } from './pool.ts'
import { Shelf } from './shelf.ts'

export interface MailboxOptions {
  account(): Account
  ways: Pick<ConnectIo, 'resolve' | 'secure'>
  forget(): void
  maxConnections?: number
  /** What is done with a connection before it is used. */
  opened?(client: ImapFlow): Promise<void>
}

/** A message with the places where it lies: copies in several folders are one message. */
export interface Group {
  id: string
  /** The newest copy's. */
  date: number
  entries: Entry[]
}

export class Mailbox implements AsyncDisposable {
  readonly pool: Pool
  readonly shelf = new Shelf()
  readonly #options: MailboxOptions
  readonly #indexes = new Map<string, FolderIndex>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #looking: Promise<FolderState[]> | undefined
  /** The one that all who ask during a look wait for, and the signal that ends it. */
  #nextLook: { folders: Promise<FolderState[]>; signal: AbortSignal } | undefined
  /** When the last look that is done began. */
  #lookedAt: number | undefined
  #groups: { revision: string; list: Group[] } | undefined

  constructor(options: MailboxOptions) {
    this.#options = options
    const { maxConnections } = options
    this.pool = new Pool({
      open: (signal) => this.#connect(signal),
      onEmpty: () => this.forget(),
      ...(maxConnections === undefined ? {} : { maxConnections }),
    })
  }

  async #connect(signal: AbortSignal): Promise<ImapFlow> {
    const { account, ways, opened } = this.#options
    const { client } = await connect(account(), { ...ways, signal })
    await opened?.(client)
    return client
  }

  /** The folders as they are now. Requests that come at the same time share one look, but none takes one that began before it. */
  async look(signal: AbortSignal): Promise<FolderState[]> {
    if (!this.#looking) return this.#look(signal)
    const begin = (): Promise<FolderState[]> => this.#look(signal)
    this.#nextLook ??= { folders: this.#looking.then(begin, begin), signal }
    const shared = this.#nextLook
    try {
      return await shared.folders
    } catch (error) {
      // It ended with the request that began it, which is no reason for the others to.
      if (signal.aborted || !shared.signal.aborted) throw error
      return this.look(signal)
    }
  }

  #look(signal: AbortSignal): Promise<FolderState[]> {
    const begun = performance.now()
    const look = this.pool
      .use({ signal }, listFolders)
      .then((folders) => {
        this.#lookedAt = begun
        const paths = new Set(folders.flatMap(({ path, isOpen }) => (isOpen ? [path] : [])))
        for (const path of this.#indexes.keys()) if (!paths.has(path)) this.#indexes.delete(path)
        return folders
      })
      .finally(() => {
        if (this.#looking !== look) return
        this.#looking = undefined
        this.#nextLook = undefined
      })
    this.#looking = look
    this.#nextLook = undefined
    return look
  }

  /** Brings the indexes of folders up to what a look saw. */
  async renew(folders: readonly FolderState[], signal: AbortSignal): Promise<FolderIndex[]> {
    return await Promise.all(folders.filter(({ isOpen }) => isOpen).map((folder) => this.#renewOne(folder, signal)))
  }

  #renewOne(folder: FolderState, signal: AbortSignal): Promise<FolderIndex> | FolderIndex {
    const index = this.#indexOf(folder)
    if (!this.#turns.has(folder.path) && hasSameMessages(index.state, folder)) {
      index.state = folder
      return index
    }
    return this.inTurn(folder.path, async () => {
      // A look that is older than what the index knows is of no use.
      if (!hasSameMessages(index.state, folder)) {
        const { path, uidValidity } = folder
        await this.pool.use({ signal, path, uidValidity }, (client) => index.renew(client, folder))
      }
      return index
    })
  }

  #indexOf(folder: FolderState): FolderIndex {
    const known = this.#indexes.get(folder.path)
    if (known) return known
    const index = new FolderIndex(folder)
    this.#indexes.set(folder.path, index)
    return index
  }

  /** Makes an index reach further back. */
  extend(index: FolderIndex, signal: AbortSignal): Promise<void> {
    const from = index.wholeFrom
    return this.inTurn(index.path, async () => {
      if (index.wholeFrom !== from) return
      const { uidValidity } = index.state
      await this.pool.use({ signal, path: index.path, uidValidity }, (client) => index.extend(client))
    })
  }

  /** One thing at a time for a folder's index. */
  inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(path) ?? Promise.resolve()).then(work, work)
    const settled = turn.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(path, settled)
    void settled.then(() => {
      if (this.#turns.get(path) === settled) this.#turns.delete(path)
    })
    return turn
  }

  /** Runs `work` with a folder selected. */
  in<T>(path: string, use: Omit<Use, 'path'>, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const uidValidity = this.#indexes.get(path)?.state.uidValidity
    return this.pool.use({ caughtUpSince: this.#lookedAt, uidValidity, ...use, path }, work)
  }

  /** Every message that the indexes know, newest first, copies together. */
  groups(): Group[] {
    const revision = [...this.#indexes.values()].map((index) => `${index.path}\n${index.revision}`).join('\n')
    if (this.#groups?.revision !== revision) {
      const entries = this.#indexes.values().flatMap((index) => [...index.entries])
      this.#groups = { revision, list: groupEntries(entries) }
    }
    return this.#groups.list
  }

  /** How often a folder had been changed at the last look, where the server counts it. */
  modseqOf(path: string): string | undefined {
    return this.#indexes.get(path)?.state.modseq
  }

  indexes(): FolderIndex[] {
    return [...this.#indexes.values()]
  }

  /** Drops what is known: it may be outdated soon, and costs memory. */
  forget(): void {
    this.#indexes.clear()
    this.#groups = undefined
    this.shelf.clear()
    this.#options.forget()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close()
    this.forget()
  }
}

/** Copies of a message together; newest first, and in a fixed order where the time is the same. */
export function groupEntries(entries: Iterable<Entry>): Group[] {
  const groups = new Map<string, Group>()
  for (const entry of entries) {
    const group = groups.get(entry.id)
    if (!group) groups.set(entry.id, { id: entry.id, date: entry.date, entries: [entry] })
    else {
      group.entries.push(entry)
      if (entry.date > group.date) group.date = entry.date
    }
  }
  return [...groups.values()].sort(newestFirst)
}

export const newestFirst = (a: { date: number; id: string }, b: { date: number; id: string }): number =>
  b.date - a.date || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
