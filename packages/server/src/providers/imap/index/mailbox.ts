/**
 * What this node keeps of an account in use: its connections, and an index of where its newest messages lie. All of it is
 * gone a minute after the last request.
 */
import type { ImapFlow } from 'imapflow'
import type { Account } from '../../mail/server-account.ts'
import type { ImapTraits } from '../../mail/vendors.ts'
import { type ConnectIo, connect } from '../client/connect.ts'
import { Pool } from '../connections/pool.ts'
import type { Use } from '../connections/pooled-connection.ts'
import { setTraits } from '../connections/traits.ts'
import { FolderIndex } from './folder-index.ts'
import type { FolderState } from './folder-list.ts'
import { MergedIndex } from './groups.ts'
import { MessageCache } from './message-cache.ts'
import type { Group } from './message-group.ts'
import { type Prefetch, readFolders } from './read-folders.ts'

export interface MailboxOptions {
  account(): Promise<Account>
  ways: Pick<ConnectIo, 'resolve' | 'secure'>
  forget(): void
  /** How the server differs from others. */
  traits?: ImapTraits | undefined
  maxConnections?: number
  /** See `ConnectIo`. */
  mostlyWaits?: boolean
  /** What is done with a connection before it is used. */
  opened?(client: ImapFlow): Promise<void>
}

/** An account with more messages is not held as a whole; each takes some 500 bytes. */
const maxIndexed = 20_000

export class Mailbox implements AsyncDisposable {
  readonly pool: Pool
  readonly cache = new MessageCache()
  /** Message-IDs that were searched for in every folder; they need no further search until messages come or go. */
  searchedParents = new Set<string>()
  readonly #options: MailboxOptions
  readonly #indexes = new Map<string, FolderIndex>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #looking: Promise<FolderState[]> | undefined
  /** The one that all who ask during a look wait for, and the signal that ends it. */
  #nextLook: { folders: Promise<FolderState[]>; signal: AbortSignal } | undefined
  #known: { revision: string; known: MergedIndex } | undefined

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
    const { account, ways, traits, mostlyWaits, opened } = this.#options
    const { client } = await connect(await account(), { ...ways, mostlyWaits, signal })
    if (traits) setTraits(client, traits)
    await opened?.(client)
    return client
  }

  /**
   * The folders as they are now. Requests that come at the same time share one look, but none takes one that began before
   * it. What is asked for beside a look is left out where another request's look is waited for.
   */
  async readFolders(signal: AbortSignal, prefetch?: Prefetch): Promise<FolderState[]> {
    if (!this.#looking) return this.#look(signal, prefetch)
    const begin = (): Promise<FolderState[]> => this.#look(signal)
    this.#nextLook ??= { folders: this.#looking.then(begin, begin), signal }
    const shared = this.#nextLook
    try {
      return await shared.folders
    } catch (error) {
      // It ended with the request that began it, which is no reason for the others to.
      if (signal.aborted || !shared.signal.aborted) throw error
      return this.readFolders(signal)
    }
  }

  #look(signal: AbortSignal, prefetch?: Prefetch): Promise<FolderState[]> {
    const look = this.pool
      .use({ signal, near: prefetch?.path, catchesUp: true }, (client) => readFolders(client, prefetch))
      .then((folders) => {
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
    if (!this.#turns.has(folder.path) && index.follow(folder)) return index
    return this.inTurn(folder.path, async () => {
      if (!index.follow(folder)) {
        const { path, uidValidity } = folder
        await this.pool.use({ signal, path, uidValidity }, (client) => index.renew(client, folder))
        // A new set: who searches at the moment adds to the old one.
        this.searchedParents = new Set()
      }
      return index
    })
  }

  #indexOf(folder: FolderState): FolderIndex {
    const merged = this.#indexes.get(folder.path)
    if (merged) return merged
    const index = new FolderIndex(folder)
    this.#indexes.set(folder.path, index)
    return index
  }

  /** Makes an index reach further back, or all the way. */
  extend(index: FolderIndex, signal: AbortSignal, { allTheWay = false } = {}): Promise<void> {
    const from = index.completeSince
    return this.inTurn(index.path, async () => {
      if (index.completeSince !== from && !allTheWay) return
      const { uidValidity } = index.state
      await this.pool.use({ signal, path: index.path, uidValidity }, (client) => index.extend(client, { allTheWay }))
    })
  }

  /** Makes an index reach back to a time. */
  reach(index: FolderIndex, signal: AbortSignal, date: number): Promise<void> {
    const { path } = index
    return this.inTurn(path, () => this.in(path, { signal }, (client) => index.reach(client, date)))
  }

  /** Whether the account has more messages than are held as a whole. */
  get isLarge(): boolean {
    return this.#indexes.values().reduce((sum, { state }) => sum + state.messages, 0) > maxIndexed
  }

  /** Makes the indexes whole, unless that is too much to hold: what is known need not be searched for again and again. */
  async indexAll(signal: AbortSignal): Promise<void> {
    if (this.isLarge) return
    const open = this.indexes().filter((index) => !index.isComplete)
    await Promise.all(open.map((index) => this.extend(index, signal, { allTheWay: true })))
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

  /**
   * Runs `work` with a folder selected, on a connection that has caught up with the state that `work` gets. What `work`
   * reads is therefore no older than that state, whatever other requests learn of the folder in the meantime.
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

  /** What the indexes know together, copies of a message as one. */
  known(): MergedIndex {
    let newest = 0
    for (const { revision } of this.#indexes.values()) newest = Math.max(newest, revision)
    const revision = `${this.#indexes.size} ${newest}`
    if (this.#known?.revision !== revision) {
      const known = new MergedIndex(this.#indexes.values().flatMap((index) => index.entries))
      this.#known = { revision, known }
    }
    return this.#known.known
  }

  /** More is known of messages than the indexes tell: what they know together is made anew. */
  regroup(): void {
    this.#known = undefined
  }

  /** Every message that the indexes know, newest first. */
  groups(): Group[] {
    return this.known().groups
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
    this.#known = undefined
    this.cache.clear()
    this.searchedParents.clear()
    this.#options.forget()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close()
    this.forget()
  }
}
