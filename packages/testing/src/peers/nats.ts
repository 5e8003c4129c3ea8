/** A real nats-server with JetStream in a temporary folder. */
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testCertificate } from './certificates.ts'
import { type Daemon, daemon, freePort, type ServerUser, serverFolder, serverUser } from './daemon.ts'
import { findProgram } from './debian.ts'

export interface NatsOptions {
  /** Configuration of sign-in, such as `authorization { token: x }`. */
  authorization?: string
  tls?: boolean
  /** Further lines of the configuration. */
  settings?: string
}

export interface NatsPeer extends Pick<Daemon, 'start' | 'stop' | 'kill' | 'freeze' | 'resume'>, AsyncDisposable {
  readonly port: number
  /** `nats://127.0.0.1:port`, or `tls://localhost:port`. */
  readonly url: string
  readonly ca: string
}

/** Starts a new nats-server without streams. */
export async function startNats(options: NatsOptions = {}): Promise<NatsPeer> {
  const program = findProgram('nats-server')
  if (program === undefined) throw new Error('No nats-server found: run node scripts/test-setup.ts')
  const user = await serverUser('nats', 'nobody')
  const folder = await serverFolder('nats', user)
  const certificate = await testCertificate()
  const port = await freePort()
  const conf = join(folder, 'nats.conf')
  await using resources = new AsyncDisposableStack()
  const server = resources.use(
    daemon({ name: 'nats-server', folder, user, program, args: ['-c', conf], port, logs: [join(folder, 'log')] }),
  )
  await writeOwned(user, join(folder, 'cert.pem'), certificate.cert)
  await writeOwned(user, join(folder, 'key.pem'), certificate.key)
  await writeOwned(user, conf, configuration(folder, port, options))
  await server.start()
  const open = resources.move()
  return {
    port,
    url: options.tls ? `tls://localhost:${port}` : `nats://127.0.0.1:${port}`,
    ca: certificate.ca,
    start: server.start,
    stop: server.stop,
    kill: server.kill,
    freeze: server.freeze,
    resume: server.resume,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Writes a file that the user of the server can read. */
export async function writeOwned({ ids }: ServerUser, file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 })
  if (ids.uid !== undefined && ids.gid !== undefined) await chown(file, ids.uid, ids.gid)
}

const configuration = (folder: string, port: number, { authorization = '', tls, settings = '' }: NatsOptions) => `
listen: "127.0.0.1:${port}"
log_file: "${folder}/log"
jetstream { store_dir: "${folder}/streams", max_memory_store: 64MB, max_file_store: 1GB }
${tls ? `tls { cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem" }` : ''}
${authorization}
${settings}
`
