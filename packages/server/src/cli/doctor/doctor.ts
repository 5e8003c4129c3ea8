/**
 * `waypost doctor`: checks settings, store, clock, egress and the service's own mail, and explains how to fix
 * problems.
 */

import { lookup } from 'node:dns/promises'
import { existsSync, statfsSync, statSync } from 'node:fs'
import { systemClock } from '@waypost/platform/clock'
import { type AddressMode, addressVerdict, isLoopbackHost } from '@waypost/platform/egress/addresses'
import { version } from '@waypost/platform/versions'
import { connectionProblem } from '@waypost/store/engine/connection-problem'
import type { Database } from '@waypost/store/engine/database'
import { missingSettings } from '@waypost/store/engine/postgresql-session'
import { checkDurability } from '@waypost/store/engine/server-settings'
import { findDamage, UnusableStore } from '@waypost/store/engine/sqlite-file'
import { changes } from '@waypost/store/migrations/changes'
import { beforeBaseline, isBeforeBaseline, schemaProblem } from '@waypost/store/migrations/compatibility'
import { missingChanges, storedSchema } from '@waypost/store/migrations/migrate'
import { readCluster } from '@waypost/store/sharding/cluster'
import { readFact } from '@waypost/store/tables/applications/installation'
import { keyFileOf } from '../../applications/secret-key.ts'
import { type Config, type ConfigSecrets, readConfig } from '../../config.ts'
import { tryReplyMailbox } from '../../sending/replies/reply-mailbox.ts'
import { trySystemMail } from '../../sending/system-mail.ts'
import type { PlainRun } from '../program/command.ts'
import { openStore, tryKey } from '../store-place.ts'
import { versionFacts } from '../version.ts'
import { allowFindings } from './egress.ts'
import { type Finding, ok, printFindings, problem, warning } from './findings.ts'
import { processFindings, serverFindings } from './servers.ts'

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const doctorCommand: PlainRun = async ({ terminal, output }) => {
  const { config, secrets } = readConfig(terminal.env)
  return printFindings(output, await examine(config, secrets))
}

/** Runs every check without changing anything. */
export async function examine(config: Config, secrets: ConfigSecrets): Promise<Finding[]> {
  const findings = [versionFinding(), ...settingsFindings(config, secrets)]
  let forwardedBy: string | undefined
  if (secrets.databaseUrl !== undefined) findings.push(...(await serverFindings(secrets.databaseUrl)))
  try {
    const file = `${config.dataDir}/waypost.db`
    if (secrets.databaseUrl === undefined && !existsSync(file)) {
      findings.push(warning('store', `no store yet in ${config.dataDir}`, 'start the service once: npm start'))
    } else {
      await using database = await openStore(config, secrets.databaseUrl)
      forwardedBy = await readFact(database, 'forwarded_by').catch(() => undefined)
      findings.push(...(await storeFindings(database)), ...(await keyFindings(database, config, secrets)))
      findings.push(...(await processFindings(database, config)))
      if (database.engine === 'sqlite') findings.push(...fileFindings(file))
    }
  } catch (caught) {
    const error = connectionProblem(caught, secrets.databaseUrl)
    const remedy = 'check DATABASE_URL, that PostgreSQL is running, or the permissions of the data folder'
    const how = error instanceof UnusableStore ? error.remedy : remedy
    findings.push(problem('store', `the store cannot be opened: ${textOf(error)}`, how))
  }
  findings.push(
    ...exposureFindings(config, secrets, forwardedBy),
    ...(
      await Promise.all([
        egressFinding(addressModeOf(config, forwardedBy)),
        mailFinding(secrets),
        repliesFinding(secrets),
      ])
    ).flat(),
  )
  return findings
}

function versionFinding(): Finding {
  const { version, node, platform } = versionFacts()
  return ok('version', `Waypost ${version}, Node ${node}, ${platform}`)
}

const isExposed = ({ loopbackOnly }: Config, forwardedBy: string | undefined): boolean =>
  !loopbackOnly || forwardedBy !== undefined

const addressModeOf = (config: Config, forwardedBy: string | undefined): AddressMode =>
  config.egress ?? (isExposed(config, forwardedBy) ? 'public' : 'private')

/** Who can reach the service, which hosts it can reach, and which pages are public. */
function* exposureFindings(
  config: Config,
  { metricsToken }: ConfigSecrets,
  forwardedBy: string | undefined,
): Generator<Finding> {
  if (config.loopbackOnly && forwardedBy !== undefined) {
    yield warning(
      'exposure',
      `the service listens on loopback only, but requests came through a proxy (${forwardedBy})`,
      'set WAYPOST_BASE_URL to the public URL of the proxy, and WAYPOST_TRUSTED_PROXIES to its address',
    )
  } else if (!isExposed(config, forwardedBy)) yield ok('exposure', 'only this machine can reach the service')
  else yield ok('exposure', 'other machines can reach the service')

  const exposed = isExposed(config, forwardedBy)
  const mode = addressModeOf(config, forwardedBy)
  if (mode === 'public') yield ok('egress', 'the service does not connect to private addresses')
  else if (!exposed) {
    yield ok(
      'egress',
      'the service can connect to private addresses until a request comes through a proxy, or WAYPOST_EGRESS is set',
    )
  } else {
    yield warning(
      'egress',
      'WAYPOST_EGRESS=private: anyone with an API key, or who signs in with a mailbox, can make the service connect to internal hosts and see which respond',
      'unset it, unless all of these people may reach everything that this machine can reach',
    )
  }

  yield* allowFindings(config)
  yield config.docs
    ? ok('docs', '/docs and /openapi.json are public; WAYPOST_DOCS=off turns them off')
    : ok('docs', 'WAYPOST_DOCS=off: /docs is off, and /openapi.json is for signed-in administrators')

  if (metricsToken !== undefined)
    yield ok('metrics', '/metrics accepts the token of WAYPOST_METRICS_TOKEN, or the administrator')
  else if (exposed)
    yield ok('metrics', '/metrics accepts only the administrator; set WAYPOST_METRICS_TOKEN for Prometheus')
  else yield ok('metrics', '/metrics is open to this machine')
}

function* settingsFindings(config: Config, secrets: ConfigSecrets): Generator<Finding> {
  yield ok('settings', `base URL ${config.baseUrl}, roles ${config.roles.join(' and ')}`)
  const url = new URL(config.baseUrl)
  if (isLoopbackHost(url.hostname)) {
    yield warning(
      'tracking',
      'the base URL is reachable from this machine only: links and pixels of tracked messages do not work for recipients',
      'set WAYPOST_BASE_URL to the public URL of the service, or do not use tracking',
    )
  } else if (url.protocol === 'http:') {
    yield warning(
      'settings',
      'the base URL is plain http',
      'put a TLS proxy in front and set WAYPOST_BASE_URL to https',
    )
  }
  const file = keyFileOf(config)
  if (secrets.secretKey !== undefined) yield ok('key', 'the key comes from WAYPOST_SECRET_KEY')
  else if (!existsSync(file))
    yield warning('key', `no key yet at ${file}`, 'the first start creates it; keep a copy in another place')
  else if ((statSync(file).mode & 0o077) !== 0) {
    yield problem('key', `other users can read ${file}`, `chmod 600 ${file}`)
  } else yield ok('key', `the key is in ${file}: keep a copy apart from the store's backups`)
}

/** Minimum free disk space in bytes. */
const leastRoom = 256 * 1024 * 1024

function* fileFindings(file: string): Generator<Finding> {
  const damage = findDamage(file)
  if (damage === undefined) yield ok('store', 'the pages of the database file are intact')
  else yield problem('store', `${file} is damaged: ${damage}`, 'stop the service and restore the file from a backup')
  const { bavail, bsize } = statfsSync(file)
  if (bavail * bsize < leastRoom) {
    const room = Math.floor((bavail * bsize) / 1024 / 1024)
    yield warning(
      'store',
      `the disk of the data folder has ${room} MB left`,
      'free some space, or move the data folder',
    )
  }
}

async function storeFindings(database: Database): Promise<Finding[]> {
  const findings: Finding[] = []
  const schema = await storedSchema(database)
  const missing = schema ? missingChanges(schema) : []
  if (schema === undefined) findings.push(warning('store', 'the store is empty', 'run: npx waypost db migrate'))
  else if (isBeforeBaseline(schema)) findings.push(problem('store', beforeBaseline.problem, beforeBaseline.remedy))
  else if (schemaProblem(schema, { version, changes }) !== undefined) {
    findings.push(
      problem('store', 'the store was written by a newer version of Waypost', 'run that version, or restore a backup'),
    )
  } else if (missing.length > 0) {
    findings.push(warning('store', `${missing.length} migrations are missing`, 'run: npx waypost db migrate --plan'))
  } else findings.push(ok('store', `${database.engine} responds and is up to date`))
  const unsafe = await checkDurability(database)
  findings.push(
    unsafe
      ? problem('store', unsafe, 'turn it on in postgresql.conf and reload; otherwise acknowledged data could be lost')
      : ok('store', 'commits are durable'),
  )
  if (database.isPooled()) findings.push(await poolingFinding(database))
  if (database.isDistributed()) findings.push(...(await clusterFindings(database)))
  const skew = Math.abs((await database.now()) - systemClock.now())
  findings.push(
    // The service uses the store's time. With a larger difference, log times and certificate checks are wrong.
    skew < 60_000
      ? ok('clock', `this machine and the store differ by ${skew} ms`)
      : problem(
          'clock',
          `this machine and the store differ by ${Math.round(skew / 1000)} s`,
          'synchronize the clocks: systemctl enable --now systemd-timesyncd',
        ),
  )
  return findings
}

/** The workers of a distributed store. */
async function clusterFindings(database: Database): Promise<Finding[]> {
  const cluster = await readCluster(database)
  if (!cluster) return []
  const { workers, citusVersion, walLevel } = cluster
  const parts = workers.map(({ host, port, shards }) => `${host}:${port} (${shards} shards)`).join(', ')
  const findings = [ok('citus', `Citus ${citusVersion} distributes the store over ${parts}`)]
  for (const { host, port, isReachable } of workers) {
    if (isReachable) continue
    const how = 'start it: requests of the applications on it get 503, and queues of all applications wait'
    findings.push(problem('citus', `the worker ${host}:${port} does not answer`, how))
  }
  if (walLevel !== 'logical')
    findings.push(
      warning(
        'citus',
        'wal_level is not logical',
        'set it on every server, so that shards move while they are written',
      ),
    )
  return findings
}

/** Whether connections from a pooler have the settings that the service needs. */
async function poolingFinding(database: Database): Promise<Finding> {
  const missing = await missingSettings(database)
  return missing.length === 0
    ? ok('store', 'a pooler assigns connections per transaction: statements are prepared for each')
    : warning(
        'store',
        `connections of the pooler lack ${missing.join(', ')}`,
        'start the service, which sets them for its role; the pooler then needs new connections (RECONNECT). If the role lacks the permission, its owner sets them: docs/operations.md',
      )
}

/** Whether the store was encrypted with this key. */
async function keyFindings(database: Database, config: Config, { secretKey }: ConfigSecrets): Promise<Finding[]> {
  const sealed = await readFact(database, 'key_check').catch(() => undefined)
  if (sealed === undefined) return []
  try {
    tryKey(config, secretKey, sealed)
    return [ok('key', 'the key opens the store')]
  } catch (error) {
    return [
      problem(
        'key',
        `the key does not open the store: ${textOf(error)}`,
        'restore the key with which the store was created',
      ),
    ]
  }
}

/** Whether the service's own mail server responds and accepts the login; nothing is sent. */
async function mailFinding({ mail }: ConfigSecrets): Promise<Finding> {
  if (!mail) {
    return warning(
      'mail',
      'the service has no mail identity: invitations of virtual calendars and mails about webhooks are not sent',
      'set WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM; not needed if nobody expects these mails',
    )
  }
  try {
    const { server, signedIn } = await trySystemMail(mail)
    return ok('mail', `${server} responds${signedIn ? ' and accepts the login' : ''}; mail is sent from ${mail.from}`)
  } catch (error) {
    return problem(
      'mail',
      `the service cannot send its own mail: ${textOf(error)}`,
      'check WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM, and that the mail server is running',
    )
  }
}

/** Whether the mailbox for invitation replies can be opened; nothing is read. */
async function repliesFinding({ mail }: ConfigSecrets): Promise<Finding[]> {
  if (mail?.inbox === undefined) return []
  try {
    const { server, folder, tells } = await tryReplyMailbox(mail.inbox)
    const opens = `${server} opens the folder ${folder} for invitation replies`
    if (tells) return [ok('replies', `${opens}; replies are read immediately`)]
    const remedy = 'turn it on if the server supports it; everything works without it'
    return [warning('replies', `${opens}, but does not support IDLE: replies are read late, by polling`, remedy)]
  } catch (error) {
    const remedy = 'check WAYPOST_IMAP_URL: server, user, password and folder'
    return [problem('replies', `the mailbox for invitation replies cannot be read: ${textOf(error)}`, remedy)]
  }
}

async function egressFinding(mode: AddressMode): Promise<Finding> {
  const host = 'example.com'
  try {
    const addresses = await Promise.race([
      lookup(host, { all: true }),
      new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no response within 5 s')), 5_000).unref()),
    ])
    const refused = addresses.find(({ address }) => !addressVerdict(address, { mode }).allowed)
    if (!refused) return ok('egress', 'host names resolve')
    return problem(
      'egress',
      `${host} resolves to ${refused.address}, which is not allowed`,
      'check the resolver of this machine',
    )
  } catch (error) {
    return warning(
      'egress',
      `host names do not resolve (${textOf(error)})`,
      'check /etc/resolv.conf and the firewall; webhooks and providers need the network',
    )
  }
}
