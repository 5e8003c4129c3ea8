/** The services of a node, which handlers, commands and the node itself receive. */

import type { Clock } from '@waypost/platform/clock'
import type { DataKeys, DataSeals } from '@waypost/platform/crypto/data-seals'
import type { KeyRing } from '@waypost/platform/crypto/key-ring'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Cursors } from '@waypost/platform/cursor'
import type { AddressMode } from '@waypost/platform/egress/addresses'
import type { Egress } from '@waypost/platform/egress/egress'
import type { Log } from '@waypost/platform/log'
import type { TimeSources } from '@waypost/platform/service-clock'
import type { Tracer } from '@waypost/platform/span'
import type { Io } from '@waypost/providers/io'
import type { SandboxClient } from '@waypost/providers/provider-settings'
import type { Providers } from '@waypost/providers/registry'
import type { Database } from '@waypost/store/engine/database'
import type { DiskRoom } from '@waypost/store/engine/disk-room'
import type { WorkSignals } from '@waypost/store/engine/work-signals'
import type { MigrateOptions } from '@waypost/store/migrations/migrate'
import type { SchemaWork } from '@waypost/store/migrations/steps/schema-work'
import type { StoreHealth } from '@waypost/store/store-health'
import type { Node } from '@waypost/store/tables/applications/nodes'
import type { Approvals } from '../agents/approvals/approvals.ts'
import type { OwnerMails } from '../agents/approvals/owner-mail.ts'
import type { ApprovalTools } from '../agents/approvals/tools.ts'
import type { AdminAuthentication } from '../applications/admin-authentication.ts'
import type { Administrator } from '../applications/administrator.ts'
import type { Place } from '../applications/applications.ts'
import type { CustomerData } from '../applications/customer-data.ts'
import type { Exposure } from '../applications/exposure.ts'
import type { Installation } from '../applications/first-start.ts'
import type { OidcSignIn } from '../applications/oidc-sign-in.ts'
import type { PasswordCost, PasswordHashing } from '../applications/password-hashing.ts'
import type { PasswordPolicy } from '../applications/password-policy.ts'
import type { BookingTools } from '../booking/bookings/tools.ts'
import type { BookingMails } from '../booking/mail/booking-mails.ts'
import type { VisitorLimits } from '../booking/visitor-limits.ts'
import type { Watcher } from '../changes/watcher.ts'
import type { Conferences } from '../conferences/conferences.ts'
import type { Config } from '../config.ts'
import type { ActivityBook } from '../grants/activity.ts'
import type { IdTokens } from '../grants/id-tokens.ts'
import type { Notify } from '../grants/notify.ts'
import type { PushTokens } from '../grants/push-tokens.ts'
import type { Sessions } from '../grants/sessions.ts'
import type { Sender, SenderOptions } from '../sending/delivery/sender.ts'
import type { AccountMails } from '../sending/event-mail/account-mail.ts'
import type { ReplyMailbox } from '../sending/replies/reply-mailbox.ts'
import type { Sending } from '../sending/sending.ts'
import type { SystemMail } from '../sending/system-mail.ts'
import type { TrackingPages } from '../sending/tracking/pages.ts'
import type { Uploads } from '../sending/uploads/uploads.ts'
import type { Supervision } from '../supervisor/supervision.ts'
import type { CredentialLog } from '../telemetry/credential-log.ts'
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
import type { NextOfStream } from '../webhooks/stream.ts'
import type { ChannelOptions } from '../webhooks/transports/credentials.ts'
import type { Bookings } from './bookings.ts'
import type { Threads } from './threads.ts'

export interface Services {
  config: Config
  clock: Clock
  log: Log
  database: Database
  /** Wakes background workers, here and on other nodes. */
  signals: WorkSignals
  /** Reads the stream of notifications of an application. */
  nextOfStream: NextOfStream
  /** Whether the store can be written. */
  storeHealth: StoreHealth
  /** Room on the disk of the store. */
  room: DiskRoom
  keyRing: KeyRing
  secrets: Secrets
  dataKeys: DataKeys
  /** Seals stored content of mail, events and contacts. */
  seals: DataSeals
  /** Opens the payloads of notifications. */
  payloads: PayloadOpener
  cursors: Cursors
  egress: Egress
  /** Connections to public addresses only, for hosts that anybody may name. The caller closes them. */
  openPublicEgress(): Egress
  /** Whether clients on other machines reach the service. */
  exposure: Exposure
  /** Which addresses connections may go to now. */
  addressMode(): AddressMode
  /** Opens `/metrics`, where the settings have it. */
  /** The sandbox clients at providers that the settings name. */
  sandboxClients: Readonly<Record<string, SandboxClient>>
  metricsToken: string | undefined
  providers: Providers
  /** What an adapter needs for work without an open session. */
  ioFor(kind: string, signal: AbortSignal): Io
  sessions: Sessions
  /** Conferences of events that another grant creates. */
  conferences: Conferences
  /** The tokens that providers send back with push notifications about a grant. */
  pushTokens: PushTokens
  /** Signs ID tokens for applications. */
  idTokens: IdTokens
  /** Notifies applications of a change, in its transaction. */
  notify: Notify
  /** What the operator set for notification channels. */
  channelOptions: ChannelOptions
  /** Delivers notifications to their destinations. */
  deliverer: Deliverer
  /** Watches accounts at providers for changes. */
  watcher: Watcher
  /** Answers requests for tracked images and links. */
  tracking: TrackingPages
  /** Sends messages, now or at their scheduled time. */
  sending: Sending
  /** Large files that messages refer to. */
  uploads: Uploads
  /** Threads that parse and compose messages. */
  threads: Threads
  /** Processes the send ledger. */
  sender: Sender
  /** Mails about events, sent by accounts. */
  accountMails: AccountMails
  /** Mails about bookings. */
  bookingMails: BookingMails
  /** Creates and changes bookings. */
  bookings: Bookings
  /** Actions that wait for the approval of a person. */
  approvals: Approvals
  /** Mails to the owners of accounts about actions that wait for approval. */
  ownerMails: OwnerMails
  /** Compares the clock with that of the store again. */
  followClock(): Promise<void>
  /** The service's own mail identity, where the settings name one. */
  mail: SystemMail | undefined
  /** The mailbox that receives replies to its invitations, where the settings name one. */
  replies: ReplyMailbox | undefined
  metrics: Metrics
  /** The supervisor of this process, where several processes share the port. */
  supervision: Supervision | undefined
  /** Begins spans, where traces are on. */
  tracer: Tracer | undefined
  /** Logs refused requests, within bounds. */
  refusals: RefusalLog
  limiter: RateLimiter
  /** Limits of the routes that anyone may call. */
  visitorLimits: VisitorLimits
  /** Hashes passwords and verifies them. */
  hashing: PasswordHashing
  /** Decides which passwords are too weak. */
  passwords: PasswordPolicy
  /** The password of the installation. */
  administrator: Administrator
  /** Authenticates administrators. */
  adminAuthentication: AdminAuthentication
  /** Sign-in of administrators at an OpenID provider, where the settings name one. */
  oidc: OidcSignIn | undefined
  /** Records the use of grants, and their errors. */
  activity: ActivityBook
  customerData: CustomerData
  /** Counts the calls of applications and grants. */
  traffic: Traffic
  /** Figures for the charts of the dashboard. */
  figures: HealthCounters
  /** The folder of the built dashboard. */
  dashboardDir: string
  /** The folder of the built reference and guides. */
  docsDir: string
  /** The folder of the built booking page. */
  bookingPageDir: string
  keyUse: KeyUseBook
  /** The requests of restricted API keys and agents. */
  credentialLog: CredentialLog
  installation: Installation
  place: Place
  node: Node
  /** Aborts when the node is told to stop, or to hand over to another process. */
  stopping: AbortSignal
  /** Whether the node stops, and no other process answers in its place: load balancers are told. */
  isLeaving(): boolean
  /** Aborts a moment later: running work ends now. */
  ending: AbortSignal
  /** Sheds load when requests exceed the capacity of the node. */
  load: Load
  /** The running requests. */
  underWay: UnderWay
  /** The mail exchangers of a domain, best first; empty if they cannot be resolved. */
  findMailExchangers(domain: string, signal: AbortSignal): Promise<string[]>
  /** The SRV record of a service, such as `_imaps._tcp.example.org`; undefined without one. */
  findService(name: string, signal: AbortSignal): Promise<{ host: string; port: number } | undefined>
}

export interface BuiltServices extends Services, AsyncDisposable {
  /** Names of the migrations that this start applied. */
  migrated: readonly string[]
  /** The steps of schema changes that run after the start. */
  schemaWork: SchemaWork
  /** Throws if a newer version has changed the store in a way that this one cannot work with. */
  checkSchema(): Promise<void>
  stop(): void
  /** Ends background work like `stop`. Another process answers on the same port. */
  handOver(): void
}

export interface BuildOptions extends Partial<Services> {
  /** The time sources of the service clock. */
  timeSources?: TimeSources
  /** Takes the server lock: one server per SQLite file. Commands run next to a server and do not take it. */
  serving?: boolean
  /** Fails with `NoInstallation` if the store is empty, instead of creating an installation. */
  existingOnly?: boolean
  /** For `waypost db migrate`, which shows progress, and for tests with changes that no version has. */
  schema?: Pick<MigrateOptions, 'changes' | 'version' | 'report' | 'pace'>
  /** For tests, in which each start hashes a password. */
  passwordCost?: PasswordCost
  /** For tests that kill processes while they send, with shorter times. */
  senderOptions?: Pick<SenderOptions, 'quarantineMs' | 'onUnknown' | 'failpoint'>
  /** For tests that end processes between two steps of a booking. */
  bookingOptions?: Pick<BookingTools, 'failpoint'>
  /** The same for approvals. */
  approvalOptions?: Pick<ApprovalTools, 'failpoint'>
  /** How long the mail to an account's owner waits for a decision. */
  ownerMailDelayMs?: number
}
