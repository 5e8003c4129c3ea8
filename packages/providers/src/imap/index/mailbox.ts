/**
 * The state of an account in use on this node: its connections and an index of its newest messages. It is dropped a
 * minute after the last request.
 */
import type { ImapFlow } from 'imapflow'
import type { Account } from '../../mail/server-account.ts'
import type { ImapTraits } from '../../mail/vendors.ts'
import { type ConnectIo, connect } from '../client/connect.ts'
import { Pool } from '../connections/pool.ts'
import { setTraits, type Use } from '../connections/pooled-connection.ts'
import type { Group } from '../entry.ts'
import type { FolderState } from '../folder-state.ts'
import { FolderIndex } from './folder-index.ts'
import { MergedIndex } from './groups.ts'
import { MessageCache } from './message-cache.ts'
import { type Prefetch, readFolders } from './read-folders.ts'

export interface MailboxOptions {
  account(): Promise<Account>
  network: Pick<ConnectIo, 'resolve' | 'secure'>
  forget(): void
  /** Server-specific traits. */
  traits?: ImapTraits | undefined
  maxConnections?: number
  /** See `ConnectIo`. */
  mostlyWaits?: boolean
  /** Prepares a new connection. */
  opened?(client: ImapFlow): Promise<void>
}

/** Accounts with more messages are not indexed completely; each message takes about 500 bytes. */
const maxIndexed = 20_000

export class Mailbox implements AsyncDisposable {
  readonly pool: Pool
  readonly cache = new MessageCache()
  /** Message-IDs that were searched in every folder; not searched again until messages arrive or are removed. */
  searchedParents = new Set<string>()
  readonly #options: MailboxOptions
  readonly #indexes = new Map<string, FolderIndex>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #polling: Promise<FolderState[]> | undefined
  /** The listing that requests wait for while another one runs, and the signal that ends it. */
  #nextPoll: { folders: Promise<FolderState[]>; signal: AbortSignal } | undefined
  #merged: { revision: string; index: MergedIndex } | undefined

  constructor(options: MailboxOptions) {
    this.#options = options
    const maxConnections = options.maxConnections ?? options.traits?.connections
    this.pool = new Pool({
      open: (signal) => this.#connect(signal),
      onEmpty: () => this.forget(),
      ...(maxConnections === undefined ? {} : { maxConnections }),
    })
  }

  async #connect(signal: AbortSignal): Promise<ImapFlow> {
    const { account, network, traits, mostlyWaits, opened } = this.#options
    const { client } = await connect(await account(), { ...network, mostlyWaits, signal })
    if (traits) setTraits(client, traits)
    await opened?.(client)
    return client
  }

  /**
   * The current folders. Concurrent requests share a listing, but never one that began before the request. A prefetch
   * is skipped if the request waits for a shared listing.
   */
  async readFolders(signal: AbortSignal, prefetch?: Prefetch): Promise<FolderState[]> {
    if (!this.#polling) return this.#poll(signal, prefetch)
    const begin = (): Promise<FolderState[]> => this.#poll(signal)
    this.#nextPoll ??= { folders: this.#polling.then(begin, begin), signal }
    const shared = this.#nextPoll
    try {
      return await shared.folders
    } catch (error) {
      // The listing was aborted with the request that began it; other requests try again.
      if (signal.aborted || !shared.signal.aborted) throw error
      return this.readFolders(signal)
    }
  }

  #poll(signal: AbortSignal, prefetch?: Prefetch): Promise<FolderState[]> {
    const poll = this.pool
      .use({ signal, near: prefetch?.path, catchesUp: true }, (client) => readFolders(client, prefetch))
      .then((folders) => {
        const paths = new Set(folders.flatMap(({ path, isOpen }) => (isOpen ? [path] : [])))
        for (const path of this.#indexes.keys()) if (!paths.has(path)) this.#indexes.delete(path)
        return folders
      })
      .finally(() => {
        if (this.#polling !== poll) return
        this.#polling = undefined
        this.#nextPoll = undefined
      })
    this.#polling = poll
    this.#nextPoll = undefined
    return poll
  }

  /** Updates the indexes to these folder states. */
  async renew(folders: readonly FolderState[], signal: AbortSignal): Promise<FolderIndex[]> {
    return await Promise.all(folders.filter(({ isOpen }) => isOpen).map((folder) => this.#renewOne(folder, signal)))
  }

  #renewOne(folder: FolderState, signal: AbortSignal): Promise<FolderIndex> | FolderIndex {
    const index = this.#indexOf(folder)
    if (!this.#turns.has(folder.path) && index.follow(folder)) return index
    return this.inTurn(folder.path, async () => {
      if (!index.follow(folder)) {
        const { path, uidValidity } = folder
        await this.pool.use({ signal, path, uidValidity }, (client) => index.renew(client, folder))
        // A new set: a running search still adds to the old one.
        this.searchedParents = new Set()
      }
      return index
    })
  }

  #indexOf(folder: FolderState): FolderIndex {
    const existing = this.#indexes.get(folder.path)
    if (existing) return existing
    const index = new FolderIndex(folder)
    this.#indexes.set(folder.path, index)
    return index
  }

  /** Extends an index further back, or completely. */
  extend(index: FolderIndex, signal: AbortSignal, { allTheWay = false } = {}): Promise<void> {
    const from = index.completeSince
    return this.inTurn(index.path, async () => {
      if (index.completeSince !== from && !allTheWay) return
      const { uidValidity } = index.state
      await this.pool.use({ signal, path: index.path, uidValidity }, (client) => index.extend(client, { allTheWay }))
    })
  }

  /** Extends an index back to a date. */
  reach(index: FolderIndex, signal: AbortSignal, date: number): Promise<void> {
    const { path } = index
    return this.onIndex(path, signal, (client) => index.reach(client, date))
  }

  /** Whether the account is too large to be indexed completely. */
  get isLarge(): boolean {
    return this.#indexes.values().reduce((sum, { state }) => sum + state.messages, 0) > maxIndexed
  }

  /** Completes all indexes unless the account is too large. That avoids repeated searches. */
  async indexAll(signal: AbortSignal): Promise<void> {
    if (this.isLarge) return
    const open = this.indexes().filter((index) => !index.isComplete)
    await Promise.all(open.map((index) => this.extend(index, signal, { allTheWay: true })))
  }

  /** Runs work on a folder's index in sequence. */
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

  /** Runs work on a folder's index in sequence, with the folder selected. */
  onIndex<T>(path: string, signal: AbortSignal, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    return this.inTurn(path, () => this.in(path, { signal }, work))
  }

  /**
   * Runs `work` with a folder selected, on a connection that has received all changes up to the state that `work`
   * gets. So its results are no older than that state, regardless of what other requests read in the meantime.
   */
  in<T>(
    path: string,
    use: Omit<Use, 'path'>,
    work: (client: ImapFlow, state: FolderState | undefined) => Promise<T>,
  ): Promise<T> {
    const state = this.#indexes.get(path)?.state
    const caughtUpSince = state?.seenAt
    return this.pool.use({ caughtUpSince, uidValidity: state?.uidValidity, ...use, path }, (client) =>
      work(client, state),
    )
  }

  /** The merged indexes of all folders. */
  merged(): MergedIndex {
    let newest = 0
    for (const { revision } of this.#indexes.values()) newest = Math.max(newest, revision)
    const revision = `${this.#indexes.size} ${newest}`
    if (this.#merged?.revision !== revision) {
      const index = new MergedIndex(this.#indexes.values().flatMap(({ entries }) => entries))
      this.#merged = { revision, index }
    }
    return this.#merged.index
  }

  /** Rebuilds the merged index, because entries now have more information. */
  regroup(): void {
    this.#merged = undefined
  }

  groups(): Group[] {
    return this.merged().groups
  }

  /** The change counter (HIGHESTMODSEQ) of a folder at the last listing. */
  modseqOf(path: string): string | undefined {
    return this.#indexes.get(path)?.state.modseq
  }

  indexes(): FolderIndex[] {
    return [...this.#indexes.values()]
  }

  /** Drops all cached state: it may soon be outdated, and it costs memory. */
  forget(): void {
    this.#indexes.clear()
    this.#merged = undefined
    this.cache.clear()
    this.searchedParents.clear()
    this.#options.forget()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close()
    this.forget()
  }
}
