/**
 * A real Cyrus in a temporary folder: IMAP with server-side ids of messages and threads (OBJECTID, RFC 8474), and
 * CalDAV and CardDAV with implicit scheduling (RFC 6638).
 */
import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testCertificate } from './certificates.ts'
import { type Daemon, daemon, freePort, type ServerUser, serverFolder, serverUser } from './daemon.ts'
import { type DavServer, davRequest } from './dav-server.ts'
import { type CyrusPrograms, findCyrus } from './debian.ts'
import { clientsOf, domain, type Mailbox, type MailServer, newMailbox, type OwnMailServer } from './mail-server.ts'
import { sharedByFiles } from './shared-by-files.ts'

type Ports = { imap: number; imaps: number; http: number }

/** The folders that Cyrus expects and does not create. */
const folders = [
  ...[
    'conf',
    'conf/db',
    'conf/user',
    'conf/domain',
    'conf/log',
    'conf/msg',
    'conf/ptclient',
    'conf/quota',
    'conf/lock',
  ],
  ...['spool', 'spool/stage.', 'sieve', 'run', 'run/proc', 'run/lock', 'run/socket'],
]

/** The Cyrus that the test files of a worker share. */
export async function sharedCyrus(): Promise<MailServer & DavServer> {
  const { server } = await running('cyrus')
  const { start: _start, stop: _stop, ...shared } = server
  // The data of its users stays until the worker ends.
  return { ...shared, [Symbol.asyncDispose]: async () => undefined }
}

const running = sharedByFiles(async () => {
  const cyrus = await openCyrus()
  cyrus.unref()
  return cyrus
})

/** Starts a new Cyrus without mail, for tests that stop it. */
export const startCyrus = async (): Promise<OwnMailServer & DavServer> => (await openCyrus()).server

async function openCyrus(): Promise<{ server: OwnMailServer & DavServer; unref(): void }> {
  const programs = findCyrus()
  if (programs === undefined) throw new Error('No Cyrus found: run node scripts/test-setup.ts')
  const user = await serverUser('cyrus')
  const folder = await serverFolder('cyrus', user)
  const certificate = await testCertificate()
  const mailboxes = new Map<string, Mailbox>()
  const ports: Ports = { imap: await freePort(), imaps: await freePort(), http: await freePort() }

  await using resources = new AsyncDisposableStack()
  const conf = join(folder, 'imapd.conf')
  const services = join(folder, 'cyrus.conf')
  const server: Daemon = resources.use(
    daemon({
      name: 'cyrus',
      folder,
      user,
      program: programs.master,
      args: ['-C', conf, '-M', services, '-p', join(folder, 'run/master.pid'), '-D'],
      port: ports.imap,
    }),
  )
  for (const name of folders) await give(user, await made(join(folder, name)))
  await writeFile(join(folder, 'cert.pem'), certificate.cert)
  await writeFile(join(folder, 'key.pem'), certificate.key)
  await give(user, join(folder, 'key.pem'))
  await writeFile(conf, configuration(folder, user))
  await writeFile(services, serviceTable(conf, programs, ports))
  await server.start()
  const clients = resources.use(clientsOf(ports.imap, mailboxes))
  const open = resources.move()

  const setPassword = (name: string, password: string): Promise<void> =>
    saslpasswd(programs.saslpasswd2, user, ['-c', '-p', '-f', join(folder, 'sasldb2'), ...saslName(name)], password)

  const cyrus: OwnMailServer & DavServer = {
    name: 'cyrus',
    host: 'localhost',
    imapPort: ports.imap,
    imapsPort: ports.imaps,
    ca: certificate.ca,
    relayed: [],
    davUrl: `http://127.0.0.1:${ports.http}/`,
    calendarHome: (name) => `http://127.0.0.1:${ports.http}/dav/calendars/user/${name}/`,
    addressbookHome: (name) => `http://127.0.0.1:${ports.http}/dav/addressbooks/user/${name}/`,
    async addDavUser(name, password) {
      const mailbox = { ...newMailbox(name), ...(password ? { password } : {}) }
      mailboxes.set(mailbox.user, mailbox)
      await setPassword(mailbox.user, mailbox.password)
      // A user exists for the calendars of Cyrus only after a login to mail.
      const client = await clients.client(mailbox.user)
      await client.logout()
      return mailbox
    },
    request: (mailbox, method, url, options) => davRequest(mailbox, method, url, options),
    async addUser(name) {
      const mailbox = newMailbox(name)
      mailboxes.set(mailbox.user, mailbox)
      await setPassword(mailbox.user, mailbox.password)
      return mailbox
    },
    async removeUser(name) {
      mailboxes.delete(name)
      await saslpasswd(programs.saslpasswd2, user, ['-d', '-f', join(folder, 'sasldb2'), ...saslName(name)], '')
    },
    async changePassword(name, password) {
      mailboxes.set(name, { user: name, password })
      await setPassword(name, password)
    },
    issueToken() {
      throw new Error('Cyrus takes passwords only')
    },
    revokeToken() {},
    client: clients.client,
    deliver: clients.deliver,
    async kick(name) {
      await clients.close(name)
      await endServing(join(folder, 'run/proc'), name)
    },
    start: server.start,
    async stop() {
      await clients.close()
      await server.stop()
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
  return { server: cyrus, unref: server.unref }
}

async function made(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return folder
}

async function give({ ids: { uid, gid } }: ServerUser, file: string): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid)
}

/**
 * Ends the processes that serve a user. Each process keeps a file, named by its pid, that contains its user; it deletes
 * the file when it ends.
 */
async function endServing(folder: string, user: string): Promise<void> {
  for (const pid of await readdir(folder)) {
    const says = async () => (await readFile(join(folder, pid), 'utf8').catch(() => '')).split('\t')
    if (!(await says()).includes(user)) continue
    if (!end(Number(pid))) continue
    while ((await says()).includes(user)) await sleep(5)
  }
}

/** Returns false if the process ended after its file was read. */
function end(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGTERM')
  } catch {
    return false
  }
}

/** SASL takes the name and its realm, the domain, separately. */
function saslName(address: string): string[] {
  return ['-u', domain, address.slice(0, address.lastIndexOf('@'))]
}

function saslpasswd(program: string, { ids }: ServerUser, args: string[], input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd: '/', ...ids }, (error) => (error ? reject(error) : resolve()))
    // Deletion reads no password and may end before the password is written; the exit code reports success.
    child.stdin?.on('error', () => undefined).end(input)
  })
}

function configuration(folder: string, user: ServerUser): string {
  const special = ['Drafts', 'Sent', 'Trash', 'Junk', 'Archive']
  const settings: Record<string, string> = {
    cyrus_user: user.name,
    cyrus_group: user.group,
    configdirectory: join(folder, 'conf'),
    defaultpartition: 'default',
    'partition-default': join(folder, 'spool'),
    sievedir: join(folder, 'sieve'),
    proc_path: join(folder, 'run/proc'),
    mboxname_lockpath: join(folder, 'run/lock'),
    idlesocket: join(folder, 'run/socket/idle'),
    virtdomains: 'userid',
    defaultdomain: 'localhost',
    altnamespace: 'yes',
    unixhierarchysep: 'yes',
    admins: 'cyrus',
    allowplaintext: 'yes',
    failedloginpause: '0',
    sasl_pwcheck_method: 'auxprop',
    sasl_auxprop_plugin: 'sasldb',
    sasl_sasldb_path: join(folder, 'sasldb2'),
    sasl_mech_list: 'PLAIN LOGIN',
    tls_server_cert: join(folder, 'cert.pem'),
    tls_server_key: join(folder, 'key.pem'),
    tls_session_timeout: '0',
    // Enables threads, and ids of threads.
    conversations: 'yes',
    httpmodules: 'caldav carddav freebusy',
    caldav_allowscheduling: 'on',
    caldav_create_default: 'yes',
    calendar_user_address_set: domain,
    specialusealways: 'yes',
    // A deleted folder is gone, and does not come back under another name.
    delete_mode: 'immediate',
    // As in Cyrus by default: otherwise it cannot report deletions since a sync token.
    expunge_mode: 'delayed',
    autocreate_quota: '0',
    autocreate_inbox_folders: special.join('|'),
    autocreate_subscribe_folders: special.join('|'),
    ...Object.fromEntries(special.map((name) => [`xlist-${name.toLowerCase()}`, name])),
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

function serviceTable(conf: string, programs: CyrusPrograms, { imap, imaps, http }: Ports): string {
  const { imapd, httpd, idled, ctl_cyrusdb } = programs
  const imapService = (name: string, flags: string, port: number) =>
    `  ${name} cmd="${imapd} -C ${conf} -U 30 ${flags}" listen="127.0.0.1:${port}" prefork=1 maxchild=1000`
  return `START {
  recover cmd="${ctl_cyrusdb} -C ${conf} -r"
  idled cmd="${idled} -C ${conf}"
}
SERVICES {
${imapService('imap', '', imap)}
${imapService('imaps', '-s', imaps)}
  http cmd="${httpd} -C ${conf} -U 1000" listen="127.0.0.1:${http}" prefork=0 maxchild=100
}
EVENTS {
}
`
}
