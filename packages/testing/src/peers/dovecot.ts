/**
 * A real dovecot in a temporary folder: IMAP, LMTP, and a submission service that relays mail to a sink in this
 * process. Capabilities can be hidden, and folders can have the layout of older servers.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { testCertificate } from './certificates.ts'
import { type Daemon, daemon, freePort, serverFolder, serverUser } from './daemon.ts'
import { findProgram } from './debian.ts'
import { configuration, type DovecotOptions, introspectionConfiguration, type Ports } from './dovecot-conf.ts'
import {
  clientsOf,
  type Mailbox,
  type MailServer,
  newMailbox,
  type OwnMailServer,
  type Relayed,
} from './mail-server.ts'
import { sharedByFiles } from './shared-by-files.ts'
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts'

export { type DovecotOptions, modernCapabilities } from './dovecot-conf.ts'

/** Starts a new dovecot without mail, for tests that stop it, or whose options no other file has. */
export const startDovecot = async (options: DovecotOptions = {}): Promise<OwnMailServer> =>
  (await openDovecot(options)).server

/**
 * The dovecot with these options that the test files of a worker share. Disposing it removes the users that were added
 * through it, with their mail. `relayed` contains the mail that was relayed since the call.
 */
export async function sharedDovecot(options: DovecotOptions = {}): Promise<MailServer> {
  const { server, relays, forget } = await running(options)
  const users = new Set<string>()
  const relayed: Relayed[] = []
  relays.add(relayed)
  const { start: _start, stop: _stop, ...shared } = server
  return {
    ...shared,
    relayed,
    async addUser(name) {
      const mailbox = await server.addUser(name)
      users.add(mailbox.user)
      return mailbox
    },
    async [Symbol.asyncDispose]() {
      relays.delete(relayed)
      await Promise.all([...users].map(forget))
    },
  }
}

const running = sharedByFiles(async (options: DovecotOptions) => {
  const dovecot = await openDovecot(options)
  // Each file has its own list, so that the mail of finished files is not kept.
  dovecot.relays.clear()
  dovecot.unref()
  return dovecot
})

interface OpenDovecot {
  server: OwnMailServer
  /** Relayed mail is added to each of these lists. */
  relays: Set<Relayed[]>
  /** Removes a user and the user's data. */
  forget(user: string): Promise<void>
  unref(): void
}

async function openDovecot(options: DovecotOptions): Promise<OpenDovecot> {
  const program = findProgram('dovecot')
  const doveadm = findProgram('doveadm')
  if (program === undefined || doveadm === undefined)
    throw new Error('No dovecot found: run node scripts/test-setup.ts')
  const user = await serverUser('dovecot', 'nobody')
  const folder = await serverFolder('dovecot', user)
  const certificate = await testCertificate()
  const tokens = new Map<string, string>()

  await using resources = new AsyncDisposableStack()
  const relayed: Relayed[] = []
  const relays = new Set([relayed])
  const relay = resources.use(await startRelay(relays))
  const introspection = resources.use(await startIntrospection(tokens))
  const ports: Ports = {
    imap: await freePort(),
    imaps: await freePort(),
    smtp: await freePort(),
    smtps: await freePort(),
    lmtp: await freePort(),
    relay: relay.port,
    introspection: introspection.port,
  }
  const conf = join(folder, 'dovecot.conf')
  const server: Daemon = resources.use(
    daemon({
      name: 'dovecot',
      folder,
      user,
      program,
      args: ['-F', '-c', conf],
      port: ports.imap,
      logs: [join(folder, 'dovecot.log')],
    }),
  )
  await writeFile(join(folder, 'cert.pem'), certificate.cert)
  await writeFile(join(folder, 'key.pem'), certificate.key)
  await writeFile(conf, configuration(folder, user, ports, options))
  const ownIntrospection = {
    url: `http://127.0.0.1:${ports.introspection}/introspect`,
    client: { id: 'dovecot', secret: 'dovecot' },
  }
  const requested = typeof options.oauth === 'object' ? options.oauth : ownIntrospection
  await writeFile(join(folder, 'oauth2.conf'), introspectionConfiguration(requested))
  await mkdir(join(folder, 'mail'))
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) {
    await chown(join(folder, 'mail'), user.ids.uid, user.ids.gid)
    await chown(join(folder, 'key.pem'), user.ids.uid, user.ids.gid)
  }
  const users = await usersFile(join(folder, 'users'))
  await server.start()
  const clients = resources.use(clientsOf(ports.imap, users.known))
  const open = resources.move()

  const own: OwnMailServer = {
    name: options.name ?? 'dovecot',
    host: 'localhost',
    imapPort: ports.imap,
    imapsPort: ports.imaps,
    smtpPort: ports.smtp,
    smtpsPort: ports.smtps,
    lmtpPort: ports.lmtp,
    ca: certificate.ca,
    relayed,
    async addUser(name) {
      if (name === undefined) return users.next()
      const mailbox = newMailbox(name)
      await users.keep(mailbox)
      return mailbox
    },
    removeUser: users.remove,
    changePassword: (name, password) => users.keep({ user: name, password }),
    issueToken(name) {
      if (options.oauth !== true) throw new Error('This dovecot gives no tokens')
      const token = `token-${randomUUID()}`
      tokens.set(token, name)
      return token
    },
    revokeToken: (token) => void tokens.delete(token),
    client: clients.client,
    deliver: clients.deliver,
    async kick(name) {
      await clients.close(name)
      // doveadm fails if the user has no connections.
      await promisify(execFile)(doveadm, ['-c', conf, 'kick', name]).catch((error: { code?: number }) => {
        if (error.code !== 68) throw error
      })
    },
    start: server.start,
    async stop() {
      await clients.close()
      await server.stop()
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
  return {
    server: own,
    relays,
    async forget(name) {
      await clients.close(name)
      users.forget(name)
      await rm(join(folder, 'mail', name), { recursive: true, force: true })
    },
    unref() {
      for (const each of [server, relay, introspection]) each.unref()
    },
  }
}

interface Users {
  known: ReadonlyMap<string, Mailbox>
  /** A user of the reserve, whom dovecot already knows. */
  next(): Promise<Mailbox>
  keep(mailbox: Mailbox): Promise<void>
  remove(user: string): Promise<void>
  /** Removes the user from this list; dovecot removes the user with the next change of the file. */
  forget(user: string): void
}

const reserveSize = 1000

/**
 * The file of users. Dovecot checks it at most once a second, and reads it again when its size or the second of its
 * modification time differs. So the file has users in reserve from the start; other changes take until the next second,
 * and each version of the file has a different modification time.
 */
async function usersFile(file: string): Promise<Users> {
  const newReserve = (): Mailbox[] => Array.from({ length: reserveSize }, () => newMailbox())
  let reserve = newReserve()
  let refilling: Promise<void> | undefined
  const known = new Map<string, Mailbox>()
  let version = 0
  const write = async (): Promise<void> => {
    version += 1
    const lines = [...known.values(), ...reserve].map(({ user, password }) => `${user}:{PLAIN}${password}::::::\n`)
    await writeFile(`${file}.${version}`, lines.join(''))
    await utimes(`${file}.${version}`, version, version)
    await rename(`${file}.${version}`, file)
  }
  const rewrite = async (): Promise<void> => {
    await write()
    await sleep(1020 - (Date.now() % 1000))
  }
  await write()
  const refill = async (): Promise<void> => {
    const fresh = newReserve()
    reserve = fresh
    await rewrite()
    refilling = undefined
  }
  return {
    known,
    async next() {
      if (reserve.length === 0) refilling ??= refill()
      await refilling
      const mailbox = reserve.pop()
      if (mailbox === undefined) throw new Error('There are no users left in reserve')
      known.set(mailbox.user, mailbox)
      return mailbox
    },
    keep(mailbox) {
      known.set(mailbox.user, mailbox)
      return rewrite()
    },
    remove(user) {
      known.delete(user)
      return rewrite()
    },
    forget: (user) => void known.delete(user),
  }
}

/** Accepts all mail, except for a recipient `refused@…`. */
const startRelay = (relays: ReadonlySet<Relayed[]>): Promise<SmtpSink> =>
  startSmtpSink({
    keeps: false,
    onTake(mail) {
      for (const relayed of relays) relayed.push(mail)
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('refused@') ? new Error('No such user here') : null)
    },
  })

interface Introspecting extends AsyncDisposable {
  port: number
  unref(): void
}

/** Answers dovecot's token introspection (RFC 7662). */
async function startIntrospection(tokens: ReadonlyMap<string, string>): Promise<Introspecting> {
  const port = await freePort()
  const server = createServer(async (request, response) => {
    const username = tokens.get(new URLSearchParams(await text(request)).get('token') ?? '')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(username === undefined ? { active: false } : { active: true, username }))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    unref: () => void server.unref(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
