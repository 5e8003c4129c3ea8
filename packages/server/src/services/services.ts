/** The record of collaborators: what handlers, commands and the node are given. */
import type { AdminAuthentication } from '../applications/admin-authentication.ts'
import type { Administrator } from '../applications/administrator.ts'
import type { Place } from '../applications/applications.ts'
import type { CustomerData } from '../applications/customer-data.ts'
import type { Exposure } from '../applications/exposure.ts'
import type { Installation } from '../applications/first-start.ts'
import type { OidcSignIn } from '../applications/oidc-sign-in.ts'
import type { PasswordCost, PasswordHashing } from '../applications/password-hashing.ts'
import type { PasswordPolicy } from '../applications/password-policy.ts'
import type { Watcher } from '../changes/watcher.ts'
import type { Config } from '../config.ts'
import type { ActivityBook } from '../grants/activity.ts'
import type { IdTokens } from '../grants/id-tokens.ts'
import type { Notify } from '../grants/notify.ts'
import type { PushTokens } from '../grants/push-tokens.ts'
import type { Sessions } from '../grants/sessions.ts'
import type { Clock } from '../lib/clock.ts'
import type { DataKeys, DataSeals } from '../lib/crypto/data-seals.ts'
import type { KeyRing } from '../lib/crypto/key-ring.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import type { Cursors } from '../lib/cursor.ts'
import type { AddressMode } from '../lib/egress/addresses.ts'
import type { Egress } from '../lib/egress/egress.ts'
import type { Log } from '../lib/log.ts'
import type { TimeSources } from '../lib/service-clock.ts'
import type { Tracer } from '../lib/span.ts'
import type { Io } from '../providers/io.ts'
import type { SandboxClient } from '../providers/provider-settings.ts'
import type { Providers } from '../providers/registry.ts'
import type { AccountMails } from '../sending/account-mail.ts'
import type { ReplyMailbox } from '../sending/replies/reply-mailbox.ts'
import type { Sender, SenderOptions } from '../sending/sender.ts'
import type { Sending } from '../sending/sending.ts'
import type { SystemMail } from '../sending/system-mail.ts'
import type { TrackingPages } from '../sending/tracking/pages.ts'
import type { Database } from '../store/engine/database.ts'
import type { StoreHealth } from '../store/engine/store-health.ts'
import type { WorkSignals } from '../store/engine/work-signals.ts'
import type { Node } from '../store/tables/applications/nodes.ts'
import type { HealthCounters } from '../telemetry/health-counters.ts'
import type { KeyUseBook } from '../telemetry/key-use.ts'
import type { Load } from '../telemetry/load.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { RateLimiter } from '../telemetry/rate-limit.ts'
import type { RefusalLog } from '../telemetry/refusal-log.ts'
import type { Traffic } from '../telemetry/traffic.ts'
import type { UnderWay } from '../telemetry/under-way.ts'
import type { Deliverer } from '../webhooks/leases/deliverer.ts'
import type { PayloadOpener } from '../webhooks/sealed-payloads.ts'
import type { Threads } from './threads.ts'

export interface Services {
  config: Config
  clock: Clock
  log: Log
  database: Database
  /** Tells who works in the background, here and on other nodes, that there is something to do. */
  signals: WorkSignals
  /** Whether the store can be written. */
  storeHealth: StoreHealth
  keyRing: KeyRing
  secrets: Secrets
  dataKeys: DataKeys
  /** Seals what is kept of mail, events and contacts. */
  seals: DataSeals
  /** Opens what notifications hold. */
  payloads: PayloadOpener
  cursors: Cursors
  egress: Egress
  /** Whether others than the people on this machine reach the service. */
  exposure: Exposure
  /** Where connections may go now. */
  addressMode(): AddressMode
  /** Opens `/metrics`, where the settings have it. */
  /** The clients at providers that the settings name for the sandbox. */
  sandboxClients: Readonly<Record<string, SandboxClient>>
  metricsToken: string | undefined
  providers: Providers
  /** What an adapter is given for work that no session is open for. */
  ioFor(kind: string, signal: AbortSignal): Io
  sessions: Sessions
  /** What providers send back with what they tell of a grant. */
  pushTokens: PushTokens
  /** Tells applications who signed in. */
  idTokens: IdTokens
  /** Tells applications of changes, in the transaction of each. */
  notify: Notify
  /** Delivers notifications to their destinations. */
  deliverer: Deliverer
  /** Looks for changes at providers that tell of them. */
  watcher: Watcher
  /** Answers who opens a tracked message or follows a link of one. */
  tracking: TrackingPages
  /** Sends messages, now or at their time. */
  sending: Sending
  /** Threads that read and compose messages. */
  threads: Threads
  /** Works on what is to be sent, whoever asked for it. */
  sender: Sender
  /** Mails about events in the names of accounts. */
  accountMails: AccountMails
  /** Compares the clock with the store's anew. */
  followClock(): Promise<void>
  /** The service's own mail identity, where the settings name one. */
  mail: SystemMail | undefined
  /** Where guests answer its invitations, where the settings name it. */
  replies: ReplyMailbox | undefined
  metrics: Metrics
  /** Begins spans, where traces are on. */
  tracer: Tracer | undefined
  /** Logs what was refused, and not too much of it. */
  refusals: RefusalLog
  limiter: RateLimiter
  /** Hashes passwords, and compares with what was kept of them. */
  hashing: PasswordHashing
  /** Says which passwords nobody may choose. */
  passwords: PasswordPolicy
  /** The password of the installation. */
  administrator: Administrator
  /** How administrators come in. */
  adminAuthentication: AdminAuthentication
  /** Sign-in of administrators at an OpenID provider, where the settings name one. */
  oidc: OidcSignIn | undefined
  /** Notes the use of grants, and what goes wrong with them. */
  activity: ActivityBook
  customerData: CustomerData
  /** Counts the calls of applications and grants. */
  traffic: Traffic
  /** Counts for the charts of the dashboard. */
  figures: HealthCounters
  /** Where the dashboard was built. */
  dashboardDir: string
  /** Where reference and guides were built. */
  docsDir: string
  keyUse: KeyUseBook
  installation: Installation
  place: Place
  node: Node
  /** Aborts when the node is asked to stop. */
  stopping: AbortSignal
  /** Aborts a moment later: what is under way ends now. */
  ending: AbortSignal
  /** Who is served when more is asked than the node holds. */
  load: Load
  /** The requests that the node is at work on. */
  underWay: UnderWay
  /** The hosts that take a domain's mail, the best first; none when it cannot be known. */
  findMailExchangers(domain: string, signal: AbortSignal): Promise<string[]>
  /** Where a domain says that a service is, such as `_imaps._tcp.example.org`; undefined when it says nothing. */
  findService(name: string, signal: AbortSignal): Promise<{ host: string; port: number } | undefined>
}

export interface BuiltServices extends Services, AsyncDisposable {
  /** Names of the migrations that this start applied. */
  migrated: readonly string[]
  stop(): void
}

export interface BuildOptions extends Partial<Services> {
  /** What the clock of the service counts with. */
  timeSources?: TimeSources
  /** Take the lock of a server: one server per SQLite file. Commands work beside a running server and do not. */
  serving?: boolean
  /** Fail with `NoInstallation` where the store is empty, instead of creating an installation. */
  existingOnly?: boolean
  /** For tests, of which each start hashes a password. */
  passwordCost?: PasswordCost
  /** For tests that let processes end while they send, and do not wait as long as the world does. */
  senderOptions?: Pick<SenderOptions, 'quarantineMs' | 'onUnknown' | 'failpoint'>
}
