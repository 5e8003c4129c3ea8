/**
 * A real exim in a temporary folder. It accepts mail from authenticated users and delivers it by LMTP. Undeliverable
 * mail is returned as bounces that exim writes itself.
 *
 * In the users' domain, `nobody@` is refused permanently (550), `later@` temporarily (451), and `content@` after the
 * text (554); `full@` and users without a mailbox are accepted and bounce later. Of other domains, `missing.test` does
 * not exist, and the others have no such user: mail never leaves this machine.
 */
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testCertificate } from './certificates.ts'
import { type Daemon, daemon, freePort, serverFolder, serverUser } from './daemon.ts'
import { findProgram } from './debian.ts'
import { domain } from './mail-server.ts'

export interface EximOptions {
  /** The port that receives the users' mail. */
  lmtp: number
  /** The size limit of a message, in the syntax of exim. Default: 60M. */
  sizeLimit?: string
}

export interface Exim extends AsyncDisposable {
  readonly host: string
  /**
   * Submission with STARTTLS, and with implicit TLS. It requires a login, and accepts any password of the tests' users.
   */
  readonly smtpPort: number
  readonly smtpsPort: number
  readonly ca: string
  /** The log, to show when a test fails. */
  log(): Promise<string>
  start(): Promise<void>
  /** Ends it and keeps its queue and its ports. */
  stop(): Promise<void>
}

interface Ports {
  smtp: number
  smtps: number
  lmtp: number
}

/** Starts a new exim with an empty queue. */
export async function startExim({ lmtp, sizeLimit = '60M' }: EximOptions): Promise<Exim> {
  const program = findProgram('exim4')
  if (program === undefined) throw new Error('No exim found: run node scripts/test-setup.ts')
  const user = await serverUser('Debian-exim', 'nobody')
  const folder = await serverFolder('exim', user)
  const certificate = await testCertificate()
  const ports: Ports = { smtp: await freePort(), smtps: await freePort(), lmtp }
  const conf = join(folder, 'exim.conf')
  const log = join(folder, 'mainlog')
  await using resources = new AsyncDisposableStack()
  const server: Daemon = resources.use(
    daemon({
      name: 'exim',
      folder,
      user,
      program,
      // Deferred mail is retried every second.
      args: ['-C', conf, '-bdf', '-q1s'],
      port: ports.smtp,
      logs: [log, join(folder, 'paniclog')],
    }),
  )
  await writeFile(join(folder, 'cert.pem'), certificate.cert)
  await writeFile(join(folder, 'key.pem'), certificate.key)
  await writeFile(conf, configuration(folder, ports, sizeLimit))
  await mkdir(join(folder, 'spool'))
  const { uid, gid } = user.ids
  if (uid !== undefined && gid !== undefined) {
    for (const name of ['spool', 'key.pem']) await chown(join(folder, name), uid, gid)
  }
  await server.start()
  const open = resources.move()
  return {
    host: 'localhost',
    smtpPort: ports.smtp,
    smtpsPort: ports.smtps,
    ca: certificate.ca,
    log: () => readFile(log, 'utf8').catch(() => ''),
    start: server.start,
    stop: server.stop,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

const configuration = (folder: string, ports: Ports, sizeLimit: string): string => `
primary_hostname = mx.${domain}
qualify_domain = ${domain}
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
pid_file_path = ${folder}/exim.pid
keep_environment =
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${ports.smtp} : ${ports.smtps}
tls_on_connect_ports = ${ports.smtps}
tls_advertise_hosts = *
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
auth_advertise_hosts = *
message_size_limit = ${sizeLimit}
smtputf8_advertise_hosts = *
dsn_advertise_hosts = *
host_lookup =
rfc1413_query_timeout = 0s
smtp_accept_max = 0
smtp_accept_queue_per_connection = 0
deliver_drop_privilege = true
never_users =
acl_smtp_rcpt = check_recipient
acl_smtp_data = check_content
domainlist ours = ${domain}

begin acl
check_recipient:
  deny    message = 550 5.1.1 No such user
          domains = +ours
          local_parts = nobody
  defer   message = 451 4.7.1 Try again later
          domains = +ours
          local_parts = later
  accept  domains = +ours
          local_parts = content
          authenticated = *
          set acl_m_refused = yes
  accept  authenticated = *
  deny    message = 550 5.7.1 Log in first
check_content:
  deny    message = 554 5.7.1 The text is not welcome
          condition = \${if eq{$acl_m_refused}{yes}}
  accept

begin routers
full:
  driver = redirect
  domains = +ours
  local_parts = full
  allow_fail
  data = :fail: 552 5.2.2 The mailbox is full
mailboxes:
  driver = accept
  domains = +ours
  transport = lmtp
missing:
  driver = redirect
  domains = missing.test
  allow_fail
  data = :fail: 550 5.1.2 Domain not found
outside:
  driver = redirect
  allow_fail
  data = :fail: 550 5.1.1 <$local_part@$domain> User unknown

begin transports
lmtp:
  driver = smtp
  protocol = lmtp
  hosts = 127.0.0.1
  port = ${ports.lmtp}
  hosts_override
  allow_localhost
  hosts_avoid_tls = *

begin retry
* * F,1h,2s

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if match{$auth3}{^secret-}}
  server_set_id = $auth2
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = \${if match{$auth2}{^secret-}}
  server_set_id = $auth1
`
