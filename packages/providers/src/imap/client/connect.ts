/**
 * Opens connections to IMAP servers: through the egress guard, with TLS except on this machine, and with limits on
 * what a server may send.
 */
import { idleTransport } from '@waypost/platform/egress/idle-transport'
import { lookupAmong } from '@waypost/platform/egress/socket'
import type { ImapFlow } from 'imapflow'
import type { Io } from '../../io.ts'
import { ConnectionFailed, isTlsError } from '../../mail/connection-failed.ts'
import { type Account, type Login, type Security, securityByPort, withLogin } from '../../mail/server-account.ts'
import { connectionFailed } from '../errors.ts'
import { appendWithoutWaiting } from './append.ts'
import { readFastResponses } from './fast-responses.ts'
import { internals } from './internals.ts'
import { allowPipelining } from './pipelining.ts'

const connectMs = 10_000
const greetingMs = 10_000
/** A command without a response for this long has failed. Some servers need long to search large folders. */
const silenceMs = 60_000
const maxLine = 8 * 1024 * 1024
const maxLiteral = 48 * 1024 * 1024

export interface ConnectIo extends Pick<Io, 'resolve' | 'secure' | 'signal'> {
  /** Saves memory at the cost of slightly slower reading, for connections that mostly wait. */
  mostlyWaits?: boolean | undefined
}

/** An open, authenticated connection and how it is encrypted. */
export interface Connected {
  client: ImapFlow
  security: Security
}

/** Connects and logs in. If the account does not specify the encryption, this tries the possible ways. */
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
    throw connectionFailed(error, account, login)
  }
}

/** Any port can be tried with TLS first: the server's first bytes show whether it speaks plain text. */
function attempts({ port, security }: Account): readonly Security[] {
  if (security) return [security]
  const usual = securityByPort[port]
  if (usual === 'tls') return ['tls']
  return usual === 'starttls' ? ['starttls', 'none'] : ['tls', 'starttls', 'none']
}

async function mayTryNext(error: unknown, security: Security, account: Account, io: ConnectIo): Promise<boolean> {
  if (account.security || io.signal.aborted) return false
  if (security === 'tls') return isPlainAnswer(error)
  // Unencrypted connections are allowed only to this machine.
  const lacksStarttls = error instanceof Error && error.message === 'Server does not support STARTTLS'
  return security === 'starttls' && lacksStarttls && io.secure(account.host).rejectUnauthorized === false
}

/** The server sent a plain-text greeting to a TLS client. */
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
    // tls.connect and net.connect use the same names for these options.
    tls: { ...io.secure(host), lookup: io.lookup, ...(waiting && { socket: waiting.socket }) },
    logger: false,
    clientInfo: { name: 'Waypost' },
    disableAutoIdle: true,
    // Its buffers need more memory than the rest of an idle connection.
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
  // imapflow merges the flags of LSUB into those of LIST, but in LSUB \Noselect only means "not subscribed".
  internals(client).skipLsub = true
  // Failing commands throw by themselves. An error in between only means that the connection is closed.
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

/**
 * Rejects at once if the first bytes are not an IMAP greeting; otherwise the greeting timeout would have to expire.
 */
function rejectOtherProtocols(client: ImapFlow): PromiseWithResolvers<void> {
  const listening = Promise.withResolvers<void>()
  // Avoids an unhandled rejection when the race is already decided.
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

/** Time for the response to a running command, which some servers send after BYE and which explains the reason. */
const responseMs = 300

/** A server that says BYE closes the connection next (RFC 3501 §7.1.5). Some servers leave it open, so we close it. */
function closeAfterBye(client: ImapFlow): void {
  const inside = internals(client)
  const bye = inside.serverBye?.bind(client)
  if (!bye) return
  inside.serverBye = async (response) => {
    // The response to our own LOGOUT ends the connection.
    const isOurs = inside.currentRequest && inside.currentRequest.command === 'LOGOUT'
    await bye(response)
    if (!isOurs) setTimeout(() => client.close(), responseMs)
  }
}
