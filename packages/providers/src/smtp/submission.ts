/**
 * The connections of one account to its SMTP server, opened on demand, shared by messages and closed when idle, and
 * the mail transaction on one of them.
 *
 * Either all recipients or none: if the server refuses one, nothing is sent, and the error names the refused ones.
 */
import { isAscii } from 'node:buffer'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { ConnectionFailed } from '../mail/connection-failed.ts'
import { wireLength, wireParts } from '../mail/large-files.ts'
import type { Account } from '../mail/server-account.ts'
import { transmissionMs } from '../mail/transmission.ts'
import type { MailObject } from '../operations.ts'
import { SendFailed } from '../provider.ts'
import { openSmtp, type SmtpConnection, type SmtpIo } from './connection.ts'
import { ConnectionLost, onTheWire, type Reply } from './dialogue.ts'
import { hasPlainHeader, internationalAddresses } from './international.ts'
import { messageRemedy } from './known-refusals.ts'

export interface SubmissionOptions {
  /** The SMTP server; undefined if the settings name none. */
  account(): Promise<Account | undefined>
  network: SmtpIo
  maxConnections?: number
  idleMs?: number
}

const replyMs = 30_000
/** Some servers close a connection after this many messages. */
const maxMessages = 100

interface PooledConnection extends SmtpConnection {
  busy: boolean
  sent: number
  usedAt: number
}

export class Submission implements AsyncDisposable {
  readonly #options: SubmissionOptions
  readonly #connections = new Set<PooledConnection>()
  readonly #waiting: (() => void)[] = []
  #opening = 0
  #timer: NodeJS.Timeout | undefined
  #retired = false

  constructor(options: SubmissionOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#connections.size
  }

  /** Sends a message; see `Operations.messages.send`. */
  async submit(mail: MailObject, begin: () => Promise<void>, signal: AbortSignal): Promise<void> {
    checkAddresses(mail)
    let begun = false
    const once = (): Promise<void> => {
      begun = true
      return begin()
    }
    for (;;) {
      const connection = await this.#take(signal)
      const reused = connection.sent > 0
      const giveUp = (): void => connection.dialogue.end('the send was canceled')
      signal.addEventListener('abort', giveUp)
      try {
        await transact(connection, mail, once)
        connection.sent++
        return
      } catch (error) {
        // Servers close idle connections. Nothing was transmitted yet, so a new connection is tried.
        if (reused && !begun && !signal.aborted && (error instanceof ConnectionLost || isClosing(error))) continue
        throw error instanceof ConnectionLost
          ? new SendFailed(`${error.message}; the message was not sent`, { cause: error })
          : error
      } finally {
        signal.removeEventListener('abort', giveUp)
        this.#giveBack(connection)
      }
    }
  }

  /** Closes idle connections now, and the others when they are done. */
  retire(): void {
    this.#retired = true
    for (const connection of this.#connections) if (!connection.busy) this.#drop(connection)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.retire()
  }

  async #take(signal: AbortSignal): Promise<PooledConnection> {
    const { account, network, maxConnections = 2 } = this.#options
    for (;;) {
      signal.throwIfAborted()
      for (const connection of this.#connections) {
        if (connection.busy) continue
        if (connection.dialogue.isOpen && connection.sent < maxMessages) {
          connection.busy = true
          return connection
        }
        this.#drop(connection)
      }
      if (this.#connections.size + this.#opening < maxConnections) break
      await this.#wait(signal)
    }
    this.#opening++
    try {
      const at = await account()
      if (!at) throw new Error('the account has no SMTP server')
      const opened: PooledConnection = {
        ...(await openSmtp(at, network, signal)),
        busy: true,
        sent: 0,
        usedAt: performance.now(),
      }
      this.#connections.add(opened)
      return opened
    } catch (error) {
      if (error instanceof ConnectionFailed && error.failure !== 'credentials') {
        const permanent = error.failure === 'method'
        throw new SendFailed(`${error.message}; the message was not sent`, { permanent, cause: error })
      }
      throw error
    } finally {
      this.#opening--
      this.#waiting.shift()?.()
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      const abort = (): void => {
        const at = this.#waiting.indexOf(go)
        if (at !== -1) this.#waiting.splice(at, 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.push(go)
    })
  }

  #giveBack(connection: PooledConnection): void {
    connection.busy = false
    connection.usedAt = performance.now()
    if (!connection.dialogue.isOpen || this.#retired) this.#drop(connection)
    this.#waiting.shift()?.()
    this.#tendIdle()
  }

  #drop(connection: PooledConnection): void {
    this.#connections.delete(connection)
    if (connection.dialogue.isOpen)
      connection.dialogue
        .ask(['QUIT'], 2_000)
        .catch(() => undefined)
        .finally(() => connection.dialogue.end('done'))
  }

  #tendIdle(): void {
    const { idleMs = 10_000 } = this.#options
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const now = performance.now()
      for (const connection of this.#connections)
        if (!connection.busy && now - connection.usedAt >= idleMs) this.#drop(connection)
      if (this.#connections.size > 0) this.#tendIdle()
    }, idleMs).unref()
  }
}

/** Without this check, an address with a line break would become a command. */
function checkAddresses({ from, recipients }: MailObject): void {
  for (const address of [from, ...recipients]) {
    if (/[\s<>\p{Cc}]/u.test(address))
      throw new SendFailed('an address contains invalid characters', { permanent: true })
  }
  if (recipients.length === 0) throw new SendFailed('the message has no recipients', { permanent: true })
}

/** With this reply the server closes the connection; it says nothing about the message. */
const isClosing = (error: unknown): boolean => error instanceof SendFailed && error.status === 421

const endOfData = Buffer.from('.\r\n')

async function transact(connection: SmtpConnection, mail: MailObject, begin: () => Promise<void>): Promise<void> {
  const { dialogue } = connection
  await approach(connection, mail)
  try {
    await begin()
  } catch (error) {
    // Nothing more is sent on this connection.
    dialogue.end('the send was canceled')
    throw error
  }
  const from = performance.now()
  const left = (): number => transmissionMs - (performance.now() - from)
  // From here on, a broken connection leaves the outcome unknown (RFC 1047).
  const timer = setTimeout(() => dialogue.end('the server took too long'), left())
  try {
    let last: Uint8Array = Buffer.alloc(0)
    // Lets other work run even if the server accepts everything at once.
    const othersTurn = yieldBetween()
    for await (const { bytes, isFile } of wireParts(mail)) {
      // Base64 needs no changes: no line begins with a dot.
      for (const piece of isFile ? [bytes] : onTheWire(bytes)) {
        if (last.length > 0) await dialogue.write(last)
        await othersTurn()
        last = piece
      }
    }
    if (left() <= 0) {
      // A process that was suspended may continue here after a long time. Without the final dot nothing is sent.
      dialogue.end('the message took too long')
      throw new SendFailed('the message took too long; it was not sent')
    }
    await dialogue.write(Buffer.concat([last, endOfData]))
    const taken = await dialogue.reply(Math.max(left(), 1_000))
    if (taken.code >= 400 || taken.code < 200) throw await refusal(connection, taken)
  } catch (error) {
    if (!(error instanceof ConnectionLost)) {
      // Without the final dot nothing is sent, and the server must not read the next command as content.
      if (!(error instanceof SendFailed)) dialogue.end('the message could not be read completely')
      throw error
    }
    throw new SendFailed(`${error.message} before it confirmed the message`, {
      maybeSent: true,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Everything up to the server's readiness for the content, in one exchange if it supports pipelining (RFC 2920, DATA
 * may be last). Without any content the server accepts nothing.
 */
async function approach(connection: SmtpConnection, message: MailObject): Promise<void> {
  const { from, recipients, source } = message
  const { dialogue, extensions } = connection
  const max = Number(extensions.get('SIZE') ?? 0)
  const size = wireLength(message)
  if (max > 0 && size > max) {
    throw new SendFailed(`the message has ${size} bytes; the server accepts at most ${max}`, {
      permanent: true,
      status: 552,
    })
  }
  const international = internationalAddresses(message)
  if (international.length > 0 && !extensions.has('SMTPUTF8')) {
    const names = international.slice(0, 10).join(', ')
    const why = `the mail server of the account does not support addresses with non-ASCII characters (${names})`
    throw new SendFailed(`${why}; nothing was sent`, { permanent: true })
  }
  const isUtf8 = international.length > 0 || (extensions.has('SMTPUTF8') && !hasPlainHeader(source))
  const options = [
    extensions.has('SIZE') ? ` SIZE=${size}` : '',
    extensions.has('8BITMIME') && !isAscii(source) ? ' BODY=8BITMIME' : '',
    isUtf8 ? ' SMTPUTF8' : '',
  ]
  const commands = [
    `MAIL FROM:<${from}>${options.join('')}`,
    ...recipients.map((address) => `RCPT TO:<${address}>`),
    'DATA',
  ]
  const replies = extensions.has('PIPELINING')
    ? await dialogue.ask(commands, replyMs)
    : await inTurn(connection, commands)
  const [mail, ...others] = replies
  const [taken, data] = [others.slice(0, recipients.length), others[recipients.length]]
  const refused = taken.flatMap((reply, index) => (isRefused(reply) ? [{ address: recipients[index], reply }] : []))
  const isWaiting = data !== undefined && isGoAhead(data)
  if (isWaiting && mail && !isRefused(mail) && refused.length === 0) return
  // A server that waits for content would treat the next command as content, so the connection is closed.
  if (isWaiting) dialogue.end('the send was canceled')
  if (!mail || isRefused(mail)) throw await refusal(connection, mail)
  const [first] = refused
  if (!first) throw await refusal(connection, data ?? taken.at(-1))
  // A permanent refusal takes precedence: a retry would fail again.
  const { reply } = refused.find(({ reply: { code } }) => code >= 500) ?? first
  const names = refused
    .slice(0, 10)
    .map(({ address, reply: { code, text } }) => `${address}: ${code} ${text.slice(0, 200)}`)
  throw await refusal(
    connection,
    reply,
    `the server refused ${refused.length} of ${recipients.length} recipients (${names.join('; ')}); nothing was sent`,
  )
}

const isRefused = ({ code }: Reply): boolean => code < 200 || code >= 300
const isGoAhead = ({ code }: Reply): boolean => code >= 300 && code < 400

async function inTurn({ dialogue }: SmtpConnection, commands: readonly string[]): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const command of commands) {
    const [reply] = await dialogue.ask([command], replyMs)
    if (!reply) break
    replies.push(reply)
    // After a refused sender or recipient, or after 421, later replies have no meaning.
    const isLast = replies.length === 1 || replies.length === commands.length - 1
    if (reply.code === 421 || (isLast && replies.some(isRefused))) break
  }
  return replies
}

/** The error for a refusal. The connection is reset for the next message, or closed. */
async function refusal({ dialogue }: SmtpConnection, reply: Reply | undefined, said?: string): Promise<SendFailed> {
  const { code = 0, text = '' } = reply ?? {}
  if (code === 421 || code === 0) dialogue.end('the server closed the connection')
  else if (dialogue.isOpen) {
    const [reset] = await dialogue.ask(['RSET'], replyMs).catch(() => [])
    if (!reset || isRefused(reset)) dialogue.end('the server could not continue')
  }
  const message = said ?? `the server refused the message: ${code} ${text.slice(0, 500)}`
  const remedy = messageRemedy(`${code} ${text}`)
  return new SendFailed(remedy === undefined ? message : `${message}; ${remedy}`, {
    permanent: code >= 500,
    status: code,
  })
}
