/** Connections to the SMTP server of an account: tests the login, and opens connections. */
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Io } from '../io.ts'
import { ConnectionFailed, codeOf, isTlsError, networkFailed, notMail } from '../mail/connection-failed.ts'
import {
  type Account,
  type Login,
  type Security,
  securityByPort,
  withLogin,
  wordsAbout,
} from '../mail/server-account.ts'
import { Dialogue } from './dialogue.ts'
import { passwordRemedy } from './known-refusals.ts'
import { tokenLogin } from './token-login.ts'

const stepMs = 10_000
/** Every reply has its own deadline; this one is for idle connections. */
const unusedMs = 300_000

/** Connects and logs in without sending; returns how the server is encrypted. */
export const trySmtp = (account: Account, io: Io): Promise<Security> =>
  withLogin(account.auth, io.signal, (login) => tryAs(account, login, io))

async function tryAs(account: Account, login: Login, io: Io): Promise<Security> {
  const usual = account.security ?? securityByPort[account.port]
  const attempts: readonly Security[] =
    usual === 'tls' ? ['tls'] : usual ? [usual, 'none'] : ['tls', 'starttls', 'none']
  let failure: unknown
  for (const security of attempts) {
    if (security === 'none' && account.security !== 'none' && !mayBePlain(failure, account, io)) break
    try {
      const { dialogue } = await dial(account, { login, security, silenceMs: stepMs }, io)
      await dialogue.ask(['QUIT'], 2_000).catch(() => undefined)
      dialogue.end('done')
      return security
    } catch (error) {
      failure = error
      if (io.signal.aborted || (security === 'tls' && !isTlsError(error) && !isWrongProtocol(error))) break
    }
  }
  throw smtpFailed(failure, account, login)
}

/** Unencrypted only if the server has no encryption and is on this machine. */
const mayBePlain = (failure: unknown, { host }: Account, io: Io): boolean =>
  codeOf(failure) === 'ETLS' && io.secure(host).rejectUnauthorized === false

export type SmtpIo = Pick<Io, 'connect' | 'secure'>

/** An open connection that is logged in. */
export interface SmtpConnection {
  dialogue: Dialogue
  /** The server's extensions (RFC 5321 §4.1.1.1): the first word of each line in upper case, with its parameters. */
  extensions: ReadonlyMap<string, string>
}

/** Opens a connection and logs in. The account or the port says how the server is encrypted. */
export function openSmtp(account: Account, network: SmtpIo, signal: AbortSignal): Promise<SmtpConnection> {
  const security = account.security ?? securityByPort[account.port] ?? 'starttls'
  return withLogin(account.auth, signal, async (login) => {
    try {
      return await dial(account, { login, security, silenceMs: unusedMs }, { ...network, signal })
    } catch (error) {
      throw smtpFailed(error, account, login)
    }
  })
}

interface Dialling {
  login: Login
  security: Security
  /** How long the server may be silent. */
  silenceMs: number
}

/** Throws the error of the socket or of nodemailer. */
async function dial(
  { host, port }: Account,
  { login, security, silenceMs }: Dialling,
  io: SmtpIo & { signal: AbortSignal },
): Promise<SmtpConnection> {
  const socket = await io.connect({ host, port, signal: io.signal })
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection({
    host,
    port,
    connection: socket,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: io.secure(host),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: silenceMs,
  })
  return logIn(connection, { host, port }, login, io.signal)
}

async function logIn(
  connection: SMTPConnection,
  { host, port }: { host: string; port: number },
  login: Login,
  signal: AbortSignal,
): Promise<SmtpConnection> {
  const closed = (): ConnectionFailed => new ConnectionFailed('connect', `${host} closed the connection`)
  const giveUp = (): void => connection.close()
  signal.addEventListener('abort', giveUp)
  const timer = setTimeout(giveUp, 3 * stepMs)
  try {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      // A later error only means that the connection is closed.
      connection.on('error', reject)
      connection.on('end', () => reject(closed()))
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    const greeting = String(connection.lastServerResponse)
    const offered = mechanismsIn(greeting)
    if (offered && 'password' in login) {
      const auth = { user: login.user, pass: login.password }
      await new Promise<void>((resolve, reject) => {
        connection.once('end', () => reject(closed()))
        connection.login(auth as Parameters<typeof connection.login>[0], (error) => (error ? reject(error) : resolve()))
      })
    }
    const { _socket: socket } = connection
    if (!socket) throw closed()
    const dialogue = new Dialogue(socket)
    if (offered && 'accessToken' in login) await tokenLogin(dialogue, offered, { ...login, host, port })
    return { dialogue, extensions: extensionsOf(greeting) }
  } catch (error) {
    connection.close()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}

/** The authentication mechanisms of a server, in upper case; undefined if it requires none. */
function mechanismsIn(greeting: string): string[] | undefined {
  const lists = Array.from(greeting.matchAll(/^\d{3}[ -]AUTH\b[ =]*(.*)$/gim), ([, names = '']) => names)
  return lists.length === 0 ? undefined : lists.flatMap((names) => names.trim().toUpperCase().split(/\s+/))
}

const extensionsOf = (greeting: string): Map<string, string> =>
  new Map(
    greeting.split(/\r?\n/).map((line) => {
      const [word = '', ...rest] = line.replace(/^\d{3}[ -]/, '').split(' ')
      return [word.toUpperCase(), rest.join(' ')] as const
    }),
  )

/** A refusal such as 454 says nothing about the credentials. */
const isRetryable = (error: unknown): boolean =>
  codeOf(error) === 'EAUTH' && /^4/.test(String((error as { responseCode?: number }).responseCode ?? ''))

const isWrongProtocol = (error: unknown): boolean =>
  codeOf(error) === 'ESOCKET' && /wrong version|packet length|record/i.test(String((error as Error).message))

function smtpFailed(error: unknown, account: Account, login: Login): ConnectionFailed {
  const where = `${account.host} port ${account.port}`
  const code = codeOf(error)
  const connectionFailed = (cause: unknown): ConnectionFailed =>
    networkFailed(cause, account) ?? notMail(account, cause)
  if (isRetryable(error))
    return new ConnectionFailed('connect', `${where} cannot log the account in at the moment`, error)
  if (code === 'EAUTH') {
    const { response } = error as { response?: unknown }
    const remedy = passwordRemedy(String(response))
    if (remedy !== undefined) return new ConnectionFailed('method', `${where} refuses the login: ${remedy}`, error)
    const said = wordsAbout(login, response)
    const message = `${where} did not accept the user name and the password or token`
    return new ConnectionFailed('credentials', message, error, said)
  }
  if (code === 'ETLS' || (code === 'ESOCKET' && isTlsError(causeOf(error)))) {
    return new ConnectionFailed(
      'tls',
      `no secure connection to ${where} is possible; it needs TLS 1.2 or newer and a trusted certificate for that name`,
      error,
    )
  }
  if (code === 'ETIMEDOUT') return new ConnectionFailed('timeout', `${where} did not respond in time`, error)
  if (code === 'ECONNECTION' || code === 'ESOCKET') return connectionFailed(causeOf(error) ?? error)
  if (code === 'EPROTOCOL' || code === 'EENVELOPE') return notMail(account, error)
  return connectionFailed(error)
}

/** The socket's error inside nodemailer's. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  const code =
    /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|SELF_SIGNED_CERT\w*|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+)\b/.exec(
      error.message,
    )?.[1]
  if (error.cause instanceof Error) return error.cause
  if (code) return Object.assign(new Error(code), { code })
  return /certificate|tls|ssl/i.test(error.message) ? Object.assign(new Error('tls'), { code: 'ERR_TLS' }) : undefined
}
