// The deployment's own way to send mail: one SMTP identity from the operator's settings, used for invitations of calendars
// that have no mailbox, and for notices about the service itself. The host is the operator's word, like the address of the database, so it passes no egress guard;
// nothing that a client writes reaches the connection, only the message.
//
// A message is handed over at most once: the pool does not repeat one whose connection broke, because after the last byte
// nobody knows whether it was taken (RFC 1047). `maybeSent` says so, and whether to repeat is decided by the caller.
import type { Invitation } from '../formats/itip/invitations.ts'
import { isMailAddress } from '../formats/itip/itip.ts'
import { isLoopbackHost } from '../lib/egress/addresses.ts'
import { startDeadline, untilAborted } from '../lib/egress/deadline.ts'
import { EgressError } from '../lib/egress/error.ts'
import { invitationParts } from './invitation-mail.ts'

export interface SystemMailOptions {
  /** `smtp://` (STARTTLS, required when there is a password to protect) or `smtps://`, with user and password if any. */
  readonly url: string
  /** `Name <address>`, or an address alone. */
  readonly from: string
}

/** A mail in plain text. */
export type Notice = Pick<Invitation, 'to' | 'subject' | 'text'>

export type SystemMessage = (Invitation | Notice) & { readonly replyTo?: string }

export interface SystemMail extends AsyncDisposable {
  /** The address that mails come from: SENT-BY of the invitations. */
  readonly address: string
  send(mail: SystemMessage, signal: AbortSignal): Promise<void>
}

export type MailFailure = 'bad_message' | 'unreachable' | 'login_refused' | 'refused' | 'broken_off' | 'aborted'

/** Why a mail was not sent. The message is for the operator: no password, no text of the mail. */
export class MailFailed extends Error {
  override readonly name = 'MailFailed'
  readonly reason: MailFailure
  /** The same mail would be refused again. */
  readonly permanent: boolean
  /** The connection broke at a point where the server may have taken the mail. */
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

/** Connects, goes on to TLS where the server has it, and signs in where there is a user; no mail is sent. Answers the server. */
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

/** Opens no connection yet; throws when the settings cannot be right. */
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
  /** From the first mail on. */
  let opened: ReturnType<typeof open> | undefined

  return {
    address: sender.address,
    async send(mail, signal) {
      checkHeaders(mail)
      const message = `The mail server did not take the mail within ${SEND_DEADLINE_MS} ms`
      using deadline = startDeadline({ ms: SEND_DEADLINE_MS, message, signals: [signal] })
      if (signal.aborted) throw new MailFailed('aborted', 'The mail was given up before it was sent')
      try {
        opened ??= open()
        const transport = await opened
        await untilAborted(transport.sendMail(compose(mail, sender)), deadline.signal)
      } catch (error) {
        throw mailFailed(error)
      }
    },
    async [Symbol.asyncDispose]() {
      // What is still on its way now was given up by its sender.
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
  if (!isMailAddress(address) || isBroken(name)) throw new TypeError('The sender of system mail is not a mail address')
  return { name, address }
}

function parseServer(url: string) {
  // The error of URL shows the text, and with it the password.
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
    // A relay on this machine has a certificate that it made itself, and nobody stands between.
    ...(isLocal ? { tls: { rejectUnauthorized: false } } : {}),
    ...login,
  }
}

/** CR, LF, NUL and their like end a header; they have no business in one and are refused, not repaired. */
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

function compose(mail: SystemMessage, from: Mailbox) {
  return {
    from,
    to: { name: '', address: mail.to },
    replyTo: mail.replyTo === undefined ? undefined : { name: '', address: mail.replyTo },
    subject: mail.subject,
    text: mail.text,
    ...('ics' in mail ? invitationParts(mail) : {}),
  }
}

const LOGIN_CODES = ['EAUTH', 'ENOAUTH', 'EOAUTH2']
const MAIL_CODES = ['EENVELOPE', 'EMESSAGE']
/** Before the greeting nothing of the mail has left. */
const EARLY_CODES = ['EDNS', 'ETLS', 'ECONFIG', 'CONNECT_TIMEOUT', 'GREETING_TIMEOUT']
const EARLY_CALLS = ['connect', 'getaddrinfo']

/** Takes the codes alone: what the server said may repeat what it was told. */
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
    return new MailFailed('unreachable', `No session with the mail server (${saying}); check its address and its TLS`)
  }
  if (responseCode !== undefined) {
    // A reply to anything but the mail speaks of the session, as 503 always does.
    const permanent = MAIL_CODES.includes(code ?? '') && responseCode >= 500 && responseCode !== 503
    return new MailFailed('refused', `The mail server refused the mail (${saying})`, { permanent })
  }
  return new MailFailed('broken_off', `The exchange with the mail server broke off (${saying})`, { maybeSent: true })
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
