/** The SMTP side of an account: whether it lets the account in. */
import { createTransport } from 'nodemailer'
import type { Io } from '../provider.ts'
import { type Account, type Security, securityByPort } from './account.ts'
import { ConnectionFailed, connectionFailed, isTlsError } from './errors.ts'

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
    tls: { ...io.secure(host), servername: host },
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

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

const isWrongProtocol = (error: unknown): boolean =>
  codeOf(error) === 'ESOCKET' && /wrong version|packet length|record/i.test(String((error as Error).message))

function smtpFailed(error: unknown, account: Account): ConnectionFailed {
  const where = `${account.host} port ${account.port}`
  const code = codeOf(error)
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
  if (code === 'ECONNECTION' || code === 'ESOCKET') return connectionFailed(causeOf(error) ?? error, account)
  if (code === 'EPROTOCOL' || code === 'EENVELOPE')
    return new ConnectionFailed('protocol', `${where} does not answer as a mail server does`, error)
  return connectionFailed(error, account)
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
