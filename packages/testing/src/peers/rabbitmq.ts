/**
 * A real RabbitMQ in a temporary folder, with its own name, ports and epmd (the process through which Erlang nodes find
 * each other), so that several can run at once and all of it ends with the test. Its start takes five to ten seconds of
 * processor time, so test files share one.
 */
import { join } from 'node:path'
import { testCertificate } from './certificates.ts'
import { type Daemon, daemon, freePort, type ServerUser, serverFolder, serverUser } from './daemon.ts'
import { findProgram } from './debian.ts'
import { writeOwned } from './nats.ts'

export interface RabbitOptions {
  /** Further lines of its configuration. */
  settings?: string
  /** Definitions to load at the first start, such as users. Then the default user exists only if it is among them. */
  definitions?: object
}

export interface RabbitPeer extends Pick<Daemon, 'start' | 'stop' | 'kill' | 'freeze' | 'resume'>, AsyncDisposable {
  readonly port: number
  readonly tlsPort: number
  /** Without user and password. */
  readonly url: string
  readonly tlsUrl: string
  readonly username: string
  readonly password: string
  readonly ca: string
}

const username = 'waypost'
const password = 'secret-rabbit'
/** Debian's wrapper in /usr/sbin changes the user and writes to /var. */
const script = '/usr/lib/rabbitmq/bin/rabbitmq-server'

interface Ports {
  amqp: number
  amqps: number
  epmd: number
  distribution: number
}

/** Starts a new RabbitMQ with one user. */
export async function startRabbit(options: RabbitOptions = {}): Promise<RabbitPeer> {
  const epmd = findProgram('epmd')
  if (findProgram('rabbitmq-server') === undefined || epmd === undefined) {
    throw new Error('No RabbitMQ found: run node scripts/test-setup.ts')
  }
  const user = await serverUser('rabbitmq', 'nobody')
  const folder = await serverFolder('rabbitmq', user)
  const ports: Ports = {
    amqp: await freePort(),
    amqps: await freePort(),
    epmd: await freePort(),
    distribution: await freePort(),
  }
  const certificate = await testCertificate()
  await using resources = new AsyncDisposableStack()
  const names = resources.use(await nameServer(epmd, ports.epmd, user))
  const server = resources.use(rabbitDaemon(folder, ports, user))
  await writeOwned(user, join(folder, 'cert.pem'), certificate.cert)
  await writeOwned(user, join(folder, 'key.pem'), certificate.key)
  await writeOwned(user, join(folder, 'enabled_plugins'), '[].\n')
  await writeOwned(user, join(folder, 'definitions.json'), JSON.stringify(options.definitions ?? {}))
  await writeOwned(user, join(folder, 'rabbitmq.conf'), configuration(folder, ports, options))
  await names.start()
  await server.start()
  const open = resources.move()
  return {
    port: ports.amqp,
    tlsPort: ports.amqps,
    url: `amqp://127.0.0.1:${ports.amqp}`,
    tlsUrl: `amqps://localhost:${ports.amqps}`,
    username,
    password,
    ca: certificate.ca,
    start: server.start,
    stop: server.stop,
    kill: server.kill,
    freeze: server.freeze,
    resume: server.resume,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** In the foreground and in its own folder. Otherwise a node would start an epmd that outlives it. */
async function nameServer(program: string, port: number, user: ServerUser): Promise<Daemon> {
  const folder = await serverFolder('epmd', user)
  // A request for the names, in the protocol of epmd: the length, then `n`.
  const hello = '\0\x01n'
  return daemon({
    name: 'epmd',
    folder,
    user,
    program,
    args: ['-port', String(port), '-address', '127.0.0.1'],
    port,
    hello,
  })
}

function rabbitDaemon(folder: string, ports: Ports, user: ServerUser): Daemon {
  return daemon({
    name: 'RabbitMQ',
    folder,
    user,
    program: script,
    args: [],
    port: ports.amqp,
    hello: 'AMQP\0\0\x09\x01',
    startMs: 180_000,
    env: {
      HOME: folder,
      ERL_EPMD_PORT: String(ports.epmd),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      RABBITMQ_NODENAME: `waypost-${ports.amqp}@localhost`,
      RABBITMQ_DIST_PORT: String(ports.distribution),
      RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
      RABBITMQ_LOG_BASE: join(folder, 'log'),
      RABBITMQ_PID_FILE: join(folder, 'pid'),
      RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
      RABBITMQ_MAX_NUMBER_OF_PROCESSES: '32768',
      RABBITMQ_MAX_NUMBER_OF_ATOMS: '1048576',
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 2:2 +A 4 -kernel inet_dist_use_interface {127,0,0,1}',
    },
  })
}

const configuration = (
  folder: string,
  { amqp, amqps }: Ports,
  { settings = '', definitions }: RabbitOptions,
): string => `
listeners.tcp.1 = 127.0.0.1:${amqp}
listeners.ssl.1 = 127.0.0.1:${amqps}
ssl_options.certfile = ${folder}/cert.pem
ssl_options.keyfile = ${folder}/key.pem
ssl_options.verify = verify_none
ssl_options.fail_if_no_peer_cert = false
default_user = ${username}
default_pass = ${password}
loopback_users = none
disk_free_limit.absolute = 1MB
log.file = false
log.console = true
log.console.level = warning
${definitions === undefined ? '' : `load_definitions = ${folder}/definitions.json`}
${settings}
`
