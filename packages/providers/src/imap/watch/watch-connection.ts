/**
 * The single connection of a watcher, used to poll, read and wait. NOTIFY (RFC 5465) reports changes of all folders
 * if the server supports it, IDLE (RFC 2177) those of the inbox. Other folders, and servers with neither, are polled.
 */
import type { ImapFlow } from 'imapflow'
import { atom, execute } from '../client/commands.ts'
import { waitForChange } from '../client/idle.ts'
import { listenForUnsolicited } from '../client/unsolicited-responses.ts'
import { traitsOf } from '../connections/pooled-connection.ts'
import type { FolderState } from '../folder-state.ts'
import { differenceFrom } from '../index/folder-list.ts'
import { Mailbox, type MailboxOptions } from '../index/mailbox.ts'

/** Poll interval of the inbox on servers without IDLE. */
const inboxPollSeconds = 15
/** Poll interval of all folders with NOTIFY. Many servers and routers end a longer IDLE. */
const notifyPollMs = 4 * 60_000

const inbox = 'INBOX'

/** A mailbox with one connection that receives changes from the server. */
export class WatchConnection implements AsyncDisposable {
  readonly mailbox: Mailbox
  #hasNews = false
  #endWait: (() => void) | undefined
  #notifies = false
  /** The server offers IDLE but does not support it. */
  #refusesIdle = false
  /** State of the inbox when it last differed from the polled state. */
  #differed: string | undefined
  /** Folders selected since the last poll began, and those that differed from the polled state. */
  readonly #selected = new Set<string>()
  readonly #differing = new Map<string, string>()
  readonly #pollSeconds: number

  constructor({ pollSeconds, ...options }: Omit<MailboxOptions, 'forget'> & { pollSeconds: number }) {
    this.#pollSeconds = pollSeconds
    const opened = (client: ImapFlow): Promise<void> => this.#setUp(client)
    const own = { forget: () => undefined, maxConnections: 1, mostlyWaits: true, opened }
    this.mailbox = new Mailbox({ ...options, ...own })
  }

  /** Starts a poll: changes reported before do not count any more. */
  startPoll(): void {
    this.#hasNews = false
    this.#selected.clear()
  }

  /** Whether the server has reported a change since the last poll began. */
  get hasNews(): boolean {
    return this.#hasNews
  }

  /** Makes the next wait return at once, because a report of the server may have been lost. */
  requestPoll(): void {
    this.#hasNews = true
  }

  /**
   * Waits until the server reports a change or it is time to poll, at most `maxMs`. `seen` says whether the inbox is
   * as it was polled. `polled` has the other folders.
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

  /** Whether a difference is new: some servers' counts never agree, which would poll forever. */
  #isNewDifference({ mailbox }: ImapFlow): boolean {
    const shown = mailbox ? `${mailbox.uidValidity} ${mailbox.exists} ${mailbox.highestModseq}` : undefined
    if (shown === this.#differed) return false
    this.#differed = shown
    return true
  }

  /**
   * Whether a folder that was selected in between has changed since the poll. A server reports changes of the
   * selected folder in other ways, and a change just before it was selected or unselected is not reported at all.
   */
  async #hasMissed(client: ImapFlow, polled: ReadonlyMap<string, FolderState>): Promise<boolean> {
    if (!this.#notifies) return false
    for (const path of this.#selected) {
      const state = polled.get(path)
      if (!state || path === inbox) continue
      const now = await differenceFrom(client, state)
      // A difference that persists after a poll does not count.
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
      idles,
      milliseconds,
      pollMs,
      signal,
      started,
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
      // The server offers NOTIFY but rejects it; polling is enough.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mailbox[Symbol.asyncDispose]()
  }
}
