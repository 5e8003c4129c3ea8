/** What the tests need of a real mail server, whichever it is, and the clients with which they arrange and check its mail. */
import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from 'node:tls'
import { ImapFlow } from 'imapflow'

export interface Mailbox {
  /** An address; the name to log in with. */
  user: string
  password: string
}

export interface DeliverOptions {
  /** The path of the folder. Default: INBOX. */
  folder?: string
  /** Default: none, so that the message is unread. */
  flags?: readonly string[]
  /** When the server received it. Default: now. */
  date?: Date
}

/** A message that the server's submission service passed on. */
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
  /** Submission with STARTTLS, and with TLS from the start; it wants a login. */
  readonly smtpPort?: number
  readonly smtpsPort?: number
  /** Where a mail transfer agent hands mail in for the users, without a login. */
  readonly lmtpPort?: number
  /** The PEM of the authority behind the server's certificate, which is good for `localhost` and 127.0.0.1. */
  readonly ca: string
  /** What the submission service has passed on. */
  readonly relayed: readonly Relayed[]
  addUser(name?: string): Promise<Mailbox>
  /** The user can no longer log in. */
  removeUser(user: string): Promise<void>
  /** A new password for the user. Open connections stay. */
  changePassword(user: string, password: string): Promise<void>
  /** An access token that XOAUTH2 and OAUTHBEARER take for the user. */
  issueToken(user: string): string
  revokeToken(token: string): void
  /** A bare client, logged in as the user; to be disposed of. It is not counted among the user's connections. */
  client(user: string): Promise<ImapFlow>
  /** Puts a message into a folder, as it is. */
  deliver(user: string, source: Buffer | string, options?: DeliverOptions): Promise<void>
  /** Drops all connections of the user. */
  kick(user: string): Promise<void>
}

/** A mail server that a test may stop, because nobody shares it. */
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
 * Servers count a user's connections by where they come from. What tests do beside the adapter comes from elsewhere, each
 * client from an address of its own: all of 127.0.0.0/8 is this machine.
 */
function elsewhere(): ConnectionOptions & { localAddress: string } {
  clients = (clients + 1) % 60_000
  return { localAddress: `127.1.${Math.floor(clients / 250)}.${1 + (clients % 250)}` }
}

/** A process that the server was told to end may have taken this connection in its last moment: then there is another. */
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
  // A connection that is dropped reports it here as well as in the command; without a listener that would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

export interface Clients extends AsyncDisposable {
  client(user: string): Promise<ImapFlow>
  deliver(user: string, source: Buffer | string, options?: DeliverOptions): Promise<void>
  /** Closes the connection that deliveries to the user go through; without a user, those of all. */
  close(user?: string): Promise<void>
}

/** Clients on a server's plain port; one for each user stays open for deliveries. */
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
