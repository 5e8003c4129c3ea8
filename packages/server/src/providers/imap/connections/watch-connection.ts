/**
 * The one connection of a watcher: it looks, reads and waits on it. NOTIFY (RFC 5465) tells of every folder where the
 * server has it; IDLE (RFC 2177) of the inbox; the other folders, and servers with neither, are asked by the clock.
 */
import type { ImapFlow } from 'imapflow'
import { differenceFrom, type FolderState } from '../index/directory.ts'
import { Mailbox, type MailboxOptions } from '../index/mailbox.ts'
import { atom, execute } from './command.ts'
import { hearUnasked } from './unasked-responses.ts'

/** How often the inbox is asked where the server cannot tell of it. */
const impatientSeconds = 15
/** With NOTIFY, how often all is asked anyway; an IDLE that is longer is ended by many servers, and by routers. */
const anywayMs = 4 * 60_000

/** How long a command may go without an answer. */
const graceMs = 30_000
/** An IDLE that ends by itself sooner than this, with nothing to tell, is none. */
const shortestIdleMs = 5_000

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
    this.mailbox = new Mailbox({ ...options, forget: () => undefined, maxConnections: 1, opened })
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
    { looked, maxMs }: { looked: ReadonlyMap<string, FolderState>; maxMs?: number | undefined },
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

  async #rest(client: ImapFlow, signal: AbortSignal, maxMs = Number.POSITIVE_INFINITY): Promise<void> {
    const idles = client.capabilities.has('IDLE') && !this.#refusesIdle
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    /** From the moment that something ends the wait, and not from when it is noticed: the IDLE may end in between. */
    let isOver = false
    const over = (): void => {
      isOver = true
      resolve()
    }
    const fail = (error: unknown): void => {
      isOver = true
      reject(error)
    }
    const closed = (): void => fail(Object.assign(new Error('the connection was closed'), { code: 'NoConnection' }))
    const unaided = 1000 * Math.min(this.#pollSeconds, impatientSeconds)
    const usual = !idles ? unaided : this.#notifies ? anywayMs : 1000 * this.#pollSeconds
    const milliseconds = Math.min(usual, maxMs)
    let timer = setTimeout(over, milliseconds)
    this.#heard = over
    client.once('close', closed)
    signal.addEventListener('abort', over, { once: true })
    quietFor(client, Math.max(milliseconds, unaided) + graceMs)
    const begun = performance.now()
    const idled = (answer: unknown): void => {
      // We ended it ourselves.
      if (isOver) return
      const isEarly = answer === false || (!this.#told && performance.now() - begun < shortestIdleMs)
      if (!isEarly) {
        over()
        return
      }
      // From here on the clock says when to ask.
      this.#refusesIdle = true
      clearTimeout(timer)
      timer = setTimeout(over, unaided)
    }
    const idle = idles ? client.idle().then(idled, fail) : undefined
    try {
      await promise
      // Any command ends the IDLE.
      if (idle && !signal.aborted) await client.noop()
      await (signal.aborted ? undefined : idle)
    } finally {
      clearTimeout(timer)
      quietFor(client, graceMs)
      this.#heard = undefined
      client.off('close', closed)
      signal.removeEventListener('abort', over)
      if (signal.aborted) client.close()
    }
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

/** How long silence is no sign of a dead connection. */
function quietFor(client: ImapFlow, milliseconds: number): void {
  const { socket } = client as unknown as { socket?: { setTimeout?(milliseconds: number): void } | false }
  if (socket) socket.setTimeout?.(milliseconds)
}
