/** Opens connections to IMAP servers: guarded addresses, TLS always but on this machine, bounds on what a server may send. */
import type { ImapFlow } from 'imapflow'
import { idleTransport } from '../../../lib/egress/idle-transport.ts'
import { lookupAmong } from '../../../lib/egress/socket.ts'
import type { Io } from '../../io.ts'
import { ConnectionFailed, isTlsError } from '../../mail/connection-failed.ts'
import { type Account, type Login, type Security, securityByPort, withLogin } from '../../mail/server-account.ts'
import { connectionFailed } from '../errors.ts'
import { appendWithoutWaiting } from './append.ts'
import { closeAfterBye } from './close-after-bye.ts'
import { readFastResponses } from './fast-responses.ts'
import { internals } from './internals.ts'
import { allowPipelining } from './pipelining.ts'

const connectMs = 10_000
const greetingMs = 10_000
/** A command that is not answered for so long is lost: searches of large folders take their time on some servers. */
const silenceMs = 60_000
const maxLine = 8 * 1024 * 1024
const maxLiteral = 48 * 1024 * 1024

export interface ConnectIo extends Pick<Io, 'resolve' | 'secure' | 'signal'> {
  /** The connection will mostly wait: it is to hold little, even if it reads a little slower. */
  mostlyWaits?: boolean | undefined
}

/** An open, authenticated connection and how it is protected. */
export interface Connected {
  client: ImapFlow
  security: Security
}

/** Connects and logs in. Where the account does not say how the server is protected, it is found out. */
export const connect = (account: Account, io: ConnectIo): Promise<Connected> =>
  withLogin(account.auth, io.signal, (login) => connectAs(account, login, io))

async function connectAs(account: Account, login: Login, io: ConnectIo): Promise<Connected> {
  const { host, port } = account
  try {
    const addresses = await io.resolve(host, { port, signal: io.signal })
    const lookup = lookupAmong(addresses)
    for (const security of attempts(account)) {
      try {
        return { client: await open(account, { login, security }, { ...io, lookup }), security }
      } catch (error) {
        if (!(await mayTryNext(error, security, account, io))) throw error
      }
    }
    throw new ConnectionFailed('tls', `${host} port ${port} offers no encryption: STARTTLS or TLS is needed`)
  } catch (error) {
    throw connectionFailed(error, account)
  }
}

/** What a server says first tells plain from TLS, so that a port of any number can be tried as TLS. */
function attempts({ port, security }: Account): readonly Security[] {
  if (security) return [security]
  const usual = securityByPort[port]
  if (usual === 'tls') return ['tls']
  return usual === 'starttls' ? ['starttls', 'none'] : ['tls', 'starttls', 'none']
}

async function mayTryNext(error: unknown, security: Security, account: Account, io: ConnectIo): Promise<boolean> {
  if (account.security || io.signal.aborted) return false
  if (security === 'tls') return isPlainAnswer(error)
  // Never a step down but where nobody can listen.
  const lacksStarttls = error instanceof Error && error.message === 'Server does not support STARTTLS'
  return security === 'starttls' && lacksStarttls && io.secure(account.host).rejectUnauthorized === false
}

/** A greeting in plain text, read as TLS. */
const isPlainAnswer = (error: unknown): boolean =>
  isTlsError(error) &&
  /wrong version|packet length|record|http request|before secure TLS|disconnected/i.test(
    String((error as Error).message),
  )

async function open(
  { host, port }: Account,
  { login, security }: { login: Login; security: Security },
  io: ConnectIo & { lookup: ReturnType<typeof lookupAmong> },
): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow')
  const waiting = io.mostlyWaits && security === 'tls' ? idleTransport(host, port, io.lookup) : undefined
  const client = new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    ...(security === 'tls' ? {} : { doSTARTTLS: security === 'starttls' }),
    auth: 'password' in login ? { user: login.user, pass: login.password } : login,
    // The names of these options are those of tls.connect and net.connect alike.
    tls: { ...io.secure(host), lookup: io.lookup, ...(waiting && { socket: waiting.socket }) },
    logger: false,
    clientInfo: { name: 'Waypost' },
    disableAutoIdle: true,
    // Its buffers cost more memory than all else of an idle connection.
    disableCompression: true,
    disableIMAP4rev2: true,
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    maxLineLength: maxLine,
    maxLiteralSize: maxLiteral,
    maxResponseSize: maxLiteral + maxLine,
    maxLockHoldTime: false,
  })
  readFastResponses(client)
  await appendWithoutWaiting(client)
  allowPipelining(client)
  closeAfterBye(client)
  // imapflow takes the flags of LSUB for those of LIST: there \Noselect only says that a folder is not subscribed.
  internals(client).skipLsub = true
  // Commands that fail say so themselves; an error between them only means that the connection is gone.
  client.on('error', () => undefined)
  const giveUp = (): void => client.close()
  io.signal.addEventListener('abort', giveUp)
  try {
    io.signal.throwIfAborted()
    const connecting = client.connect()
    waiting?.connect()
    const notImap = rejectOtherProtocols(client)
    await Promise.race([connecting, notImap.promise])
    notImap.resolve()
    return client
  } catch (error) {
    client.close()
    throw error
  } finally {
    io.signal.removeEventListener('abort', giveUp)
  }
}

/** Rejects at once where a server's first words are not those of IMAP: it would be waited for in vain. */
function rejectOtherProtocols(client: ImapFlow): PromiseWithResolvers<void> {
  const listening = Promise.withResolvers<void>()
  // Who is not heard to the end has no say.
  listening.promise.catch(() => undefined)
  const { socket } = internals(client)
  if (!socket) return listening
  let words = ''
  const hear = (chunk: Buffer): void => {
    words += chunk.toString('latin1', 0, 16)
    const known = greetings.some((greeting) => greeting.startsWith(words.slice(0, greeting.length).toUpperCase()))
    if (known && words.length < 5) return
    socket.off('data', hear)
    if (!known) listening.reject(Object.assign(new Error('not the greeting of an IMAP server'), { code: 'NotImap' }))
  }
  socket.on('data', hear)
  return listening
}

const greetings = ['* OK', '* PREAUTH', '* BYE']
