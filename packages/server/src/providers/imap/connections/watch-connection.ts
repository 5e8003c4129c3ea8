/**
 * The one connection of a watcher: it looks, reads and waits on it. NOTIFY (RFC 5465) tells of every folder where the
 * server has it; IDLE (RFC 2177) of the inbox; the other folders, and servers with neither, are asked by the clock.
 */
import type { ImapFlow } from 'imapflow'
import { atom, execute } from '../client/commands.ts'
import { waitForChange } from '../client/idle.ts'
import { listenForUnsolicited } from '../client/unsolicited-responses.ts'
import { differenceFrom, type FolderState } from '../index/folder-list.ts'
import { Mailbox, type MailboxOptions } from '../index/mailbox.ts'
import { traitsOf } from './traits.ts'

/** How often the inbox is asked where the server cannot tell of it. */
const inboxPollSeconds = 15
/** With NOTIFY, how often all is asked anyway; an IDLE that is longer is ended by many servers, and by routers. */
const notifyPollMs = 4 * 60_000

const inbox = 'INBOX'

/** A mailbox over a single connection, which hears what the server tells by itself. */
export class WatchConnection implements AsyncDisposable {
  readonly mailbox: Mailbox
  #hasNews = false
  #endWait: (() => void) | undefined
  #notifies = false
  /** The server offers IDLE and does not do it. */
  #refusesIdle = false
  /** The inbox as it was when it last differed from what was polled at. */
  #differed: string | undefined
  /** The folders that were selected since the last look began, and those that differed from what was polled at. */
  readonly #selected = new Set<string>()
  readonly #differing = new Map<string, string>()
  readonly #pollSeconds: number

  constructor({ pollSeconds, ...options }: Omit<MailboxOptions, 'forget'> & { pollSeconds: number }) {
    this.#pollSeconds = pollSeconds
    const opened = (client: ImapFlow): Promise<void> => this.#setUp(client)
    const own = { forget: () => undefined, maxConnections: 1, mostlyWaits: true, opened }
    this.mailbox = new Mailbox({ ...options, ...own })
  }

  /** Nothing that was told before counts from now on: whoever calls this looks. */
  startPoll(): void {
    this.#hasNews = false
    this.#selected.clear()
  }

  /** Whether the server told of something since the last look began. */
  get hasNews(): boolean {
    return this.#hasNews
  }

  /** Whoever waits next looks: what the server told may have been lost. */
  requestPoll(): void {
    this.#hasNews = true
  }

  /**
   * Waits until the server tells of something, or it is time to ask, `maxMs` at the latest. `seen` says whether the inbox is as it was polled at,
   * `polled` what was seen of the other folders.
   */
  async wait(
    signal: AbortSignal,
    seen: (client: ImapFlow) => boolean,
    { polled, maxMs }: { polled: ReadonlyMap<string, FolderState>; maxMs: number },
  ): Promise<'time' | undefined> {
    const { client, giveBack } = await this.mailbox.pool.borrow({ signal, path: inbox })
    try {
      if (this.#hasNews || (!seen(client) && this.#isNewDifference(client))) return undefined
      if (await this.#hasMissed(client, polled)) return undefined
      await this.#waitForChange(client, signal, maxMs)
      return this.#hasNews ? undefined : 'time'
    } finally {
      giveBack()
    }
  }

  /** Whether a difference is a new one: servers whose counts never agree would be asked without end. */
  #isNewDifference({ mailbox }: ImapFlow): boolean {
    const shown = mailbox ? `${mailbox.uidValidity} ${mailbox.exists} ${mailbox.highestModseq}` : undefined
    if (shown === this.#differed) return false
    this.#differed = shown
    return true
  }

  /**
   * Whether a folder that was selected for a while has changed since it was polled at: of a selected folder a server tells
   * in other ways, and what came just before it was selected, or just before it no longer was, is told in none.
   */
  async #hasMissed(client: ImapFlow, polled: ReadonlyMap<string, FolderState>): Promise<boolean> {
    if (!this.#notifies) return false
    for (const path of this.#selected) {
      const state = polled.get(path)
      if (!state || path === inbox) continue
      const now = await differenceFrom(client, state)
      // A difference that stays, however often it is polled at, is none.
      if (now !== undefined && now !== this.#differing.get(path)) {
        this.#differing.set(path, now)
        return true
      }
      this.#selected.delete(path)
    }
    return this.#hasNews
  }

  async #waitForChange(client: ImapFlow, signal: AbortSignal, maxMs: number): Promise<void> {
    const idles = client.capabilities.has('IDLE') && !this.#refusesIdle
    const pollMs = 1000 * Math.min(this.#pollSeconds, inboxPollSeconds)
    const usualMs = !idles ? pollMs : this.#notifies ? notifyPollMs : 1000 * this.#pollSeconds
    const maxIdleMs = 1000 * (traitsOf(client).idleSeconds ?? Number.POSITIVE_INFINITY)
    const milliseconds = Math.min(usualMs, maxIdleMs, maxMs)
    const started = (end: (() => void) | undefined): void => {
      this.#endWait = end
    }
    const { refusesIdle } = await waitForChange(client, {
      ...{ idles, milliseconds, pollMs, signal, started },
      hasNews: () => this.#hasNews,
    })
    this.#refusesIdle ||= refusesIdle
  }

  #notify(): void {
    this.#hasNews = true
    this.#endWait?.()
  }

  async #setUp(client: ImapFlow): Promise<void> {
    this.#notifies = false
    this.#refusesIdle = false
    for (const event of ['exists', 'expunge', 'flags'] as const) client.on(event, () => this.#notify())
    client.on('mailboxOpen', ({ path }) => void this.#selected.add(path))
    if (!client.capabilities.has('NOTIFY') || !client.capabilities.has('IDLE')) return
    const messages = ['MessageNew', 'MessageExpunge', 'FlagChange'].map(atom)
    const set = [atom('SET'), [atom('SELECTED'), messages], [atom('PERSONAL'), [...messages, atom('MailboxName')]]]
    listenForUnsolicited(client, {
      changed: () => this.#notify(),
      overflowed: () => {
        this.#notifies = false
        this.#notify()
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
