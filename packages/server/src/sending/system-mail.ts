/**
 * Sends mail of the deployment itself, through one SMTP account from the operator's settings: invitations of
 * calendars that have no mailbox, and notices about the service. The operator configures the host, like the address
 * of the database, so the egress guard does not apply. Client input reaches only the message, never the connection.
 *
 * A message is transmitted at most once. The pool does not repeat a message whose connection broke, because after the
 * last byte the outcome is unknown (RFC 1047). `maybeSent` reports that, and the caller decides whether to repeat it.
 */
import type { Invitation } from '@waypost/formats/itip/invitations'
import { isMailAddress } from '@waypost/formats/itip/itip'
import { isLoopbackHost } from '@waypost/platform/egress/addresses'
import { startDeadline, untilAborted } from '@waypost/platform/egress/deadline'
import { EgressError } from '@waypost/platform/egress/error'
import { type EventMail, invitationParts } from './event-mail/invitation-mail.ts'

export interface SystemMailOptions {
  /** `smtp://` (STARTTLS, required if there is a password) or `smtps://`, with user and password if needed. */
  readonly url: string
  /** `Name <address>`, or an address alone. */
  readonly from: string
}

/** A plain-text mail. */
export type Notice = Pick<Invitation, 'to' | 'subject' | 'text'>

export type SystemMessage = (EventMail | Notice) & { readonly replyTo?: string }

export interface SystemMail extends AsyncDisposable {
  /** The sender's address: SENT-BY of invitations. */
  readonly address: string
  /** `id` becomes the Message-ID. Every attempt of a mail has the same one, so that readers recognize a repetition. */
  send(mail: SystemMessage, signal: AbortSignal, id: string): Promise<void>
}

export type MailFailure = 'bad_message' | 'unreachable' | 'login_refused' | 'refused' | 'broken_off' | 'aborted'

/**
 * The reason why a mail was not sent. The message is for the operator and contains neither the password nor the mail.
 */
export class MailFailed extends Error {
  override readonly name = 'MailFailed'
  readonly reason: MailFailure
  /** The same mail would be refused again. */
  readonly permanent: boolean
  /** The connection broke after the server may have accepted the mail. */
  readonly maybeSent: boolean

  constructor(reason: MailFailure, message: string, marks: { permanent?: boolean; maybeSent?: boolean } = {}) {
    super(message)
    this.reason = reason
    this.permanent = marks.permanent ?? false
    this.maybeSent = marks.maybeSent ?? false
  }
}

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
const SEND_DEADLINE_MS = 60_000
const IDLE_MS = 10_000
const CONNECTIONS = 3

const waits = {
  dnsTimeout: CONNECT_TIMEOUT_MS,
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_TIMEOUT_MS,
}

/** Connects, starts TLS if offered and signs in if there is a user; sends no mail. Returns the server. */
export async function trySystemMail({ url, from }: SystemMailOptions): Promise<{ server: string; signedIn: boolean }> {
  parseSender(from)
  const server = parseServer(url)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...server, ...waits })
  try {
    await transport.verify()
    return { server: `${server.host}:${server.port}`, signedIn: 'auth' in server }
  } catch (error) {
    throw mailFailed(error)
  } finally {
    transport.close()
  }
}

/** Opens no connection yet; throws if the settings are invalid. */
export function createSystemMail({ url, from }: SystemMailOptions): SystemMail {
  const sender = parseSender(from)
  const options = {
    ...parseServer(url),
    ...waits,
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const
  const open = async () => (await import('nodemailer')).createTransport(options)
  /** Opened by the first mail. */
  let opened: ReturnType<typeof open> | undefined

  return {
    address: sender.address,
    async send(mail, signal, id) {
      checkHeaders(mail)
      const message = `The mail server did not accept the mail within ${SEND_DEADLINE_MS} ms`
      using deadline = startDeadline({ ms: SEND_DEADLINE_MS, message, signals: [signal] })
      if (signal.aborted) throw new MailFailed('aborted', 'The mail was canceled before it was sent')
      try {
        opened ??= open()
        const transport = await opened
        await untilAborted(transport.sendMail(compose(mail, sender, id)), deadline.signal)
      } catch (error) {
        throw mailFailed(error)
      }
    },
    async [Symbol.asyncDispose]() {
      // Callers have given up on mails that are still in progress.
      const transport = await opened
      transport?.close({ force: true })
    },
  }
}

interface Mailbox {
  readonly name: string
  readonly address: string
}

function parseSender(from: string): Mailbox {
  const found = /^(?:(?<name>[^<>]*)<(?<inside>[^<>]+)>|(?<alone>\S+))$/.exec(from.trim())?.groups
  const address = (found?.inside ?? found?.alone ?? '').trim()
  const name = (found?.name ?? '').trim().replace(/^"(.*)"$/, '$1')
  if (!isMailAddress(address) || isBroken(name))
    throw new TypeError('The sender of system mail is not an email address')
  return { name, address }
}

function parseServer(url: string) {
  // URL's own error message would contain the password.
  if (!URL.canParse(url)) throw new TypeError('The address of the mail server is not a URL')
  const { protocol, hostname, port, username, password } = new URL(url)
  if ((protocol !== 'smtp:' && protocol !== 'smtps:') || hostname === '') {
    throw new TypeError('The address of the mail server must begin with smtp:// or smtps:// and name a host')
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = protocol === 'smtps:'
  const login =
    username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
  const isLocal = isLoopbackHost(host)
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && username !== '' && !isLocal,
    // A relay on this machine may have a self-signed certificate; no network lies in between.
    ...(isLocal ? { tls: { rejectUnauthorized: false } } : {}),
    ...login,
  }
}

/** CR, LF, NUL and other control characters end a header; they are rejected, not repaired. */
const isBroken = (value: string): boolean => /\p{Cc}/u.test(value)

function checkHeaders({ to, replyTo, subject }: SystemMessage): void {
  const wrong = [
    ...(isMailAddress(to) ? [] : ['recipient']),
    ...(replyTo === undefined || isMailAddress(replyTo) ? [] : ['reply address']),
    ...(isBroken(subject) ? ['subject'] : []),
  ]
  if (wrong.length === 0) return
  throw new MailFailed('bad_message', `The mail has an unusable ${wrong.join(' and ')}`, { permanent: true })
}

function compose(mail: SystemMessage, from: Mailbox, id: string) {
  return {
    from,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    to: { name: '', address: mail.to },
    replyTo: mail.replyTo === undefined ? undefined : { name: '', address: mail.replyTo },
    subject: mail.subject,
    text: mail.text,
    ...('html' in mail ? invitationParts(mail) : {}),
  }
}

const LOGIN_CODES = ['EAUTH', 'ENOAUTH', 'EOAUTH2']
const MAIL_CODES = ['EENVELOPE', 'EMESSAGE']
/** Before the greeting nothing of the mail was sent. */
const EARLY_CODES = ['EDNS', 'ETLS', 'ECONFIG', 'CONNECT_TIMEOUT', 'GREETING_TIMEOUT']
const EARLY_CALLS = ['connect', 'getaddrinfo']

/** Uses only codes: the server's text may repeat what it received. */
function mailFailed(error: unknown): MailFailed {
  if (error instanceof EgressError) {
    return new MailFailed(error.reason === 'timeout' ? 'broken_off' : 'aborted', error.message, { maybeSent: true })
  }
  const { code, originalCode, timeoutType, syscall, responseCode } = codesOf(error)
  const kind = timeoutType ?? originalCode ?? code ?? 'no reason given'
  const saying = responseCode === undefined ? kind : `${kind}, reply ${responseCode}`
  if (LOGIN_CODES.includes(code ?? '')) {
    return new MailFailed('login_refused', `The mail server refused the login (${saying}); check user and password`)
  }
  if ([code, timeoutType].some((each) => EARLY_CODES.includes(each ?? '')) || EARLY_CALLS.includes(syscall ?? '')) {
    return new MailFailed(
      'unreachable',
      `No session with the mail server (${saying}); check its address and TLS settings`,
    )
  }
  if (responseCode !== undefined) {
    // A reply to anything but the mail concerns the session, as 503 always does.
    const permanent = MAIL_CODES.includes(code ?? '') && responseCode >= 500 && responseCode !== 503
    return new MailFailed('refused', `The mail server refused the mail (${saying})`, { permanent })
  }
  return new MailFailed('broken_off', `The connection to the mail server broke (${saying})`, { maybeSent: true })
}

interface Codes {
  readonly code?: string
  readonly originalCode?: string
  readonly timeoutType?: string
  readonly syscall?: string
  readonly responseCode?: number
}

function codesOf(error: unknown): Codes {
  if (!(error instanceof Error)) return {}
  const fields = new Map<string, unknown>(Object.entries(error))
  const word = (name: string): string | undefined => {
    const value = fields.get(name)
    return typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : undefined
  }
  const responseCode = fields.get('responseCode')
  return {
    code: word('code'),
    originalCode: word('originalCode'),
    timeoutType: word('timeoutType'),
    syscall: word('syscall'),
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  }
}
