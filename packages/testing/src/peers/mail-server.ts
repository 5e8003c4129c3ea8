/** The interface of a real mail server for tests, and the clients with which they prepare and check its mail. */
import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from 'node:tls'
import { ImapFlow } from 'imapflow'

export interface Mailbox {
  /** An address, which is also the name to log in with. */
  user: string
  password: string
}

export interface DeliverOptions {
  /** The path of the folder. Default: INBOX. */
  folder?: string
  /** Default: none, so that the message is unread. */
  flags?: readonly string[]
  /** The internal date. Default: now. */
  date?: Date
}

/** A message that the submission service relayed. */
export interface Relayed {
  from: string
  to: string[]
  source: Buffer
}

export interface MailServer extends AsyncDisposable {
  readonly name: string
  readonly host: string
  /** Plain, with STARTTLS. */
  readonly imapPort: number
  readonly imapsPort: number
  /** Submission with STARTTLS, and with implicit TLS; it requires a login. */
  readonly smtpPort?: number
  readonly smtpsPort?: number
  /** The port at which a mail transfer agent delivers mail for the users, without a login. */
  readonly lmtpPort?: number
  /**
   * The certificate authority of the server's certificate, as PEM. The certificate is valid for `localhost` and
   * 127.0.0.1.
   */
  readonly ca: string
  /** The messages that the submission service relayed. */
  readonly relayed: readonly Relayed[]
  addUser(name?: string): Promise<Mailbox>
  /** The user can no longer log in. */
  removeUser(user: string): Promise<void>
  /** Sets a new password. Open connections stay. */
  changePassword(user: string, password: string): Promise<void>
  /** An access token of the user for XOAUTH2 and OAUTHBEARER. */
  issueToken(user: string): string
  revokeToken(token: string): void
  /** A plain client, logged in as the user, to be disposed. It does not count against the user's connection limit. */
  client(user: string): Promise<ImapFlow>
  /** Stores a message in a folder, unchanged. */
  deliver(user: string, source: Buffer | string, options?: DeliverOptions): Promise<void>
  /** Closes all connections of the user. */
  kick(user: string): Promise<void>
}

/** A mail server that a test may stop, because it is not shared. */
export interface OwnMailServer extends MailServer {
  start(): Promise<void>
  /** Ends the server and keeps its mail and its ports. */
  stop(): Promise<void>
}

/** The domain of the users' addresses. */
export const domain = 'mail.test'

export const newMailbox = (name: string = randomUUID()): Mailbox => ({
  user: `${name}@${domain}`,
  password: `secret-${randomUUID()}`,
})

let clients = 0

/**
 * Servers count the connections of a user by client address. The clients of tests connect from their own addresses,
 * which are all this machine (127.0.0.0/8), so that they do not count against the adapter's limit.
 */
function elsewhere(): ConnectionOptions & { localAddress: string } {
  clients = (clients + 1) % 60_000
  return { localAddress: `127.1.${Math.floor(clients / 250)}.${1 + (clients % 250)}` }
}

/** A process that is ending may have accepted this connection at its last moment. Then another attempt succeeds. */
const openClient = (port: number, mailbox: Mailbox): Promise<ImapFlow> =>
  openOnce(port, mailbox).catch(() => openOnce(port, mailbox))

async function openOnce(port: number, { user, password }: Mailbox): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    doSTARTTLS: false,
    disableAutoIdle: true,
    auth: { user, pass: password },
    tls: elsewhere(),
    logger: false,
  })
  // A dropped connection reports an error here as well as in the command. Without a listener, the error would end the
  // process.
  client.on('error', () => {})
  await client.connect()
  return client
}

export interface Clients extends AsyncDisposable {
  client(user: string): Promise<ImapFlow>
  deliver(user: string, source: Buffer | string, options?: DeliverOptions): Promise<void>
  /** Closes the connection for deliveries to the user, or to all users. */
  close(user?: string): Promise<void>
}

/** Clients on a server's plain port. One for each user stays open for deliveries. */
export function clientsOf(port: number, mailboxes: ReadonlyMap<string, Mailbox>): Clients {
  const delivering = new Map<string, Promise<ImapFlow>>()
  const client = (user: string): Promise<ImapFlow> => {
    const mailbox = mailboxes.get(user)
    if (mailbox === undefined) throw new Error(`There is no user ${user}`)
    return openClient(port, mailbox)
  }
  async function delivery(user: string): Promise<ImapFlow> {
    const known = delivering.get(user)
    if (known !== undefined) {
      const open = await known.catch(() => undefined)
      if (open?.usable) return open
      if (delivering.get(user) !== known) return delivery(user)
    }
    const fresh = client(user)
    delivering.set(user, fresh)
    return fresh
  }
  async function close(user?: string): Promise<void> {
    for (const name of user === undefined ? [...delivering.keys()] : [user]) {
      const open = await delivering.get(name)?.catch(() => undefined)
      delivering.delete(name)
      open?.close()
    }
  }
  return {
    client,
    async deliver(user, source, { folder = 'INBOX', flags = [], date } = {}) {
      const text = typeof source === 'string' ? source.replace(/\r?\n/g, '\r\n') : source
      const taken = await (await delivery(user)).append(folder, text, [...flags], date)
      if (taken === false) throw new Error(`The message for ${user} was not taken`)
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}
