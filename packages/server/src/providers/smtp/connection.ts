/** The SMTP side of an account: whether it lets the account in, and lines on which it does. */
import { createTransport } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { ConnectionFailed, codeOf, isTlsError, networkFailed, notMail } from '../mail/connection-failed.ts'
import { type Account, type Security, securityByPort } from '../mail/server-account.ts'
import type { Io } from '../provider.ts'
import { Dialogue } from './dialogue.ts'

const stepMs = 10_000

/** Connects and logs in, sends nothing; answers how the server is protected. */
export async function trySmtp(account: Account, io: Io): Promise<Security> {
  const usual = account.security ?? securityByPort[account.port]
  const attempts: readonly Security[] =
    usual === 'tls' ? ['tls'] : usual ? [usual, 'none'] : ['tls', 'starttls', 'none']
  let failure: unknown
  for (const security of attempts) {
    if (security === 'none' && account.security !== 'none' && !mayBePlain(failure, account, io)) break
    try {
      await verify(account, security, io)
      return security
    } catch (error) {
      failure = error
      if (io.signal.aborted || (security === 'tls' && !isTlsError(error) && !isWrongProtocol(error))) break
    }
  }
  throw smtpFailed(failure, account)
}

/** No encryption only where the server has none and nobody can listen. */
const mayBePlain = (failure: unknown, { host }: Account, io: Io): boolean =>
  codeOf(failure) === 'ETLS' && io.secure(host).rejectUnauthorized === false

async function verify(account: Account, security: Security, io: Io): Promise<void> {
  const { host, port, user, password, accessToken } = account
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: io.secure(host),
    auth: accessToken === undefined ? { user, pass: password ?? '' } : { type: 'OAuth2', user, accessToken },
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    getSocket: (_options: unknown, callback: (error: Error | null, socket?: unknown) => void) => {
      io.connect({ host, port, signal: io.signal }).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      )
    },
  } as Parameters<typeof createTransport>[0])
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

export type SmtpWays = Pick<Io, 'connect' | 'secure'>

/** An open line to the server of an account, logged in. */
export interface SmtpLine {
  dialogue: Dialogue
  /** What the server said it can (RFC 5321 §4.1.1.1): the first word of each line in capitals, with the rest. */
  extensions: ReadonlyMap<string, string>
}

/** Opens a line and logs in. The account says how its server is protected, or the port does. */
export async function openSmtp(account: Account, ways: SmtpWays, signal: AbortSignal): Promise<SmtpLine> {
  const { host, port } = account
  const security = account.security ?? securityByPort[port] ?? 'starttls'
  try {
    const socket = await ways.connect({ host, port, signal })
    const connection = new SMTPConnection({
      host,
      port,
      connection: socket,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: ways.secure(host),
      connectionTimeout: stepMs,
      greetingTimeout: stepMs,
      // Every reply has a deadline of its own; this one is for lines that nobody uses.
      socketTimeout: 300_000,
      ...(account.accessToken === undefined ? {} : { customAuth: { XOAUTH2: tokenLogin(account) } }),
    })
    return await logIn(connection, account, signal)
  } catch (error) {
    throw isRetryable(error)
      ? new ConnectionFailed('connect', `${host} port ${port} cannot log the account in now`, error)
      : smtpFailed(error, account)
  }
}

/** A refusal that says nothing of the credentials, such as 454. */
const isRetryable = (error: unknown): boolean =>
  codeOf(error) === 'EAUTH' && /^4/.test(String((error as { responseCode?: number }).responseCode ?? ''))

async function logIn(connection: SMTPConnection, account: Account, signal: AbortSignal): Promise<SmtpLine> {
  const { user, password, accessToken } = account
  const giveUp = (): void => connection.close()
  signal.addEventListener('abort', giveUp)
  const timer = setTimeout(giveUp, 3 * stepMs)
  try {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      // What it tells after all is done only means that the connection is gone.
      connection.on('error', reject)
      connection.on('end', () => reject(new ConnectionFailed('connect', `${account.host} closed the connection`)))
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    const greeting = String(connection.lastServerResponse)
    const allowsAuth = /^\d{3}[ -]AUTH\b/im.test(greeting)
    if (allowsAuth) {
      const auth = accessToken === undefined ? { user, pass: password ?? '' } : { user, pass: '', method: 'XOAUTH2' }
      await new Promise<void>((resolve, reject) => {
        connection.once('end', () => reject(new ConnectionFailed('connect', `${account.host} closed the connection`)))
        connection.login(auth as Parameters<typeof connection.login>[0], (error) => (error ? reject(error) : resolve()))
      })
    }
    const { _socket: socket } = connection
    if (!socket) throw new ConnectionFailed('connect', `${account.host} closed the connection`)
    return { dialogue: new Dialogue(socket), extensions: extensionsOf(greeting) }
  } catch (error) {
    connection.close()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}

/** RFC 7628's older sister, as Google and Microsoft take it. */
const tokenLogin =
  ({ user, accessToken }: Account) =>
  async (login: { sendCommand(command: string): Promise<{ status: number }> }): Promise<void> => {
    const token = Buffer.from(`user=${user}\x01auth=Bearer ${accessToken}\x01\x01`).toString('base64')
    let { status } = await login.sendCommand(`AUTH XOAUTH2 ${token}`)
    // It says in base64 what is wrong, and wants an empty line before the refusal.
    if (status === 334) ({ status } = await login.sendCommand(''))
    if (status !== 235) throw new Error('the token was refused')
  }

const extensionsOf = (greeting: string): Map<string, string> =>
  new Map(
    greeting.split(/\r?\n/).map((line) => {
      const [word = '', ...rest] = line.replace(/^\d{3}[ -]/, '').split(' ')
      return [word.toUpperCase(), rest.join(' ')] as const
    }),
  )

const isWrongProtocol = (error: unknown): boolean =>
  codeOf(error) === 'ESOCKET' && /wrong version|packet length|record/i.test(String((error as Error).message))

function smtpFailed(error: unknown, account: Account): ConnectionFailed {
  const where = `${account.host} port ${account.port}`
  const code = codeOf(error)
  const connectionFailed = (cause: unknown): ConnectionFailed =>
    networkFailed(cause, account) ?? notMail(account, cause)
  if (code === 'EAUTH')
    return new ConnectionFailed('credentials', `${where} did not accept the user name and the password or token`, error)
  if (code === 'ETLS' || (code === 'ESOCKET' && isTlsError(causeOf(error)))) {
    return new ConnectionFailed(
      'tls',
      `no secure connection to ${where} was possible; it needs TLS 1.2 or newer and a trusted certificate for that name`,
      error,
    )
  }
  if (code === 'ETIMEDOUT') return new ConnectionFailed('timeout', `${where} did not answer in time`, error)
  if (code === 'ECONNECTION' || code === 'ESOCKET') return connectionFailed(causeOf(error) ?? error)
  if (code === 'EPROTOCOL' || code === 'EENVELOPE') return notMail(account, error)
  return connectionFailed(error)
}

/** What the socket said, under what nodemailer made of it. */
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
