/**
 * The one connection of a watcher: it looks, reads and waits on it. NOTIFY (RFC 5465) tells of every folder where the
 * server has it; IDLE (RFC 2177) of the inbox; the other folders, and servers with neither, are asked by the clock.
 */
import type { ImapFlow } from 'imapflow'
import { differenceFrom, type FolderState } from '../index/directory.ts'
import { Mailbox, type MailboxOptions } from '../index/mailbox.ts'
import { atom, execute } from './command.ts'
import { rest } from './rest.ts'
import { traitsOf } from './traits.ts'
import { hearUnasked } from './unasked-responses.ts'

/** How often the inbox is asked where the server cannot tell of it. */
const impatientSeconds = 15
/** With NOTIFY, how often all is asked anyway; an IDLE that is longer is ended by many servers, and by routers. */
const anywayMs = 4 * 60_000

const inbox = 'INBOX'

/** A mailbox over a single connection, which hears what the server tells by itself. */
export class WatchConnection implements AsyncDisposable {
  readonly mailbox: Mailbox
  #told = false
  #heard: (() => void) | undefined
  #notifies = false
  /** The server offers IDLE and does not do it. */
  #refusesIdle = false
  /** The inbox as it was when it last differed from what was looked at. */
  #differed: string | undefined
  /** The folders that were selected since the last look began, and those that differed from what was looked at. */
  readonly #selected = new Set<string>()
  readonly #differing = new Map<string, string>()
  readonly #pollSeconds: number

  constructor({ pollSeconds, ...options }: Omit<MailboxOptions, 'forget'> & { pollSeconds: number }) {
    this.#pollSeconds = pollSeconds
    const opened = (client: ImapFlow): Promise<void> => this.#listen(client)
    const own = { forget: () => undefined, maxConnections: 1, mostlyWaits: true, opened }
    this.mailbox = new Mailbox({ ...options, ...own })
  }

  /** Nothing that was told before counts from now on: whoever calls this looks. */
  looking(): void {
    this.#told = false
    this.#selected.clear()
  }

  /** Whether the server told of something since the last look began. */
  get hasHeard(): boolean {
    return this.#told
  }

  /** Whoever waits next looks: what the server told may have been lost. */
  lookAgain(): void {
    this.#told = true
  }

  /**
   * Waits until the server tells of something, or it is time to ask, `maxMs` at the latest. `seen` says whether the inbox is as it was looked at,
   * `looked` what was seen of the other folders.
   */
  async wait(
    signal: AbortSignal,
    seen: (client: ImapFlow) => boolean,
    { looked, maxMs }: { looked: ReadonlyMap<string, FolderState>; maxMs: number },
  ): Promise<'time' | undefined> {
    const { client, giveBack } = await this.mailbox.pool.borrow({ signal, path: inbox })
    try {
      if (this.#told || (!seen(client) && this.#isNews(client))) return undefined
      if (await this.#hasMissed(client, looked)) return undefined
      await this.#rest(client, signal, maxMs)
      return this.#told ? undefined : 'time'
    } finally {
      giveBack()
    }
  }

  /** Whether a difference is a new one: servers whose counts never agree would be asked without end. */
  #isNews({ mailbox }: ImapFlow): boolean {
    const shown = mailbox ? `${mailbox.uidValidity} ${mailbox.exists} ${mailbox.highestModseq}` : undefined
    if (shown === this.#differed) return false
    this.#differed = shown
    return true
  }

  /**
   * Whether a folder that was selected for a while has changed since it was looked at: of a selected folder a server tells
   * in other ways, and what came just before it was selected, or just before it no longer was, is told in none.
   */
  async #hasMissed(client: ImapFlow, looked: ReadonlyMap<string, FolderState>): Promise<boolean> {
    if (!this.#notifies) return false
    for (const path of this.#selected) {
      const state = looked.get(path)
      if (!state || path === inbox) continue
      const now = await differenceFrom(client, state)
      // A difference that stays, however often it is looked at, is none.
      if (now !== undefined && now !== this.#differing.get(path)) {
        this.#differing.set(path, now)
        return true
      }
      this.#selected.delete(path)
    }
    return this.#told
  }

  async #rest(client: ImapFlow, signal: AbortSignal, maxMs: number): Promise<void> {
    const idles = client.capabilities.has('IDLE') && !this.#refusesIdle
    const unaidedMs = 1000 * Math.min(this.#pollSeconds, impatientSeconds)
    const usual = !idles ? unaidedMs : this.#notifies ? anywayMs : 1000 * this.#pollSeconds
    const longest = 1000 * (traitsOf(client).idleSeconds ?? Number.POSITIVE_INFINITY)
    const milliseconds = Math.min(usual, longest, maxMs)
    const hear = (over: (() => void) | undefined): void => {
      this.#heard = over
    }
    const { refusesIdle } = await rest(client, {
      ...{ idles, milliseconds, unaidedMs, signal, hear },
      isTold: () => this.#told,
    })
    this.#refusesIdle ||= refusesIdle
  }

  #hear(): void {
    this.#told = true
    this.#heard?.()
  }

  async #listen(client: ImapFlow): Promise<void> {
    this.#notifies = false
    this.#refusesIdle = false
    for (const event of ['exists', 'expunge', 'flags'] as const) client.on(event, () => this.#hear())
    client.on('mailboxOpen', ({ path }) => void this.#selected.add(path))
    if (!client.capabilities.has('NOTIFY') || !client.capabilities.has('IDLE')) return
    const messages = ['MessageNew', 'MessageExpunge', 'FlagChange'].map(atom)
    const set = [atom('SET'), [atom('SELECTED'), messages], [atom('PERSONAL'), [...messages, atom('MailboxName')]]]
    hearUnasked(client, {
      changed: () => this.#hear(),
      overflowed: () => {
        this.#notifies = false
        this.#hear()
      },
    })
    try {
      await execute(client, 'NOTIFY', set)
      this.#notifies = true
    } catch {
      // It offers more than it can do; the clock will do.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mailbox[Symbol.asyncDispose]()
  }
}
