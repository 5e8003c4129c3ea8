/** What the services of a node are built from. */

import type { Clock } from '@waypost/platform/clock'
import type { Egress } from '@waypost/platform/egress/egress'
import type { Log } from '@waypost/platform/log'
import type { TimeSources } from '@waypost/platform/service-clock'
import type { Providers } from '@waypost/providers/registry'
import type { Database } from '@waypost/store/engine/database'
import type { DiskRoom } from '@waypost/store/engine/disk-room'
import type { MigrateOptions } from '@waypost/store/migrations/migrate'
import type { ApprovalTools } from '../agents/approvals/tools.ts'
import type { PasswordCost } from '../applications/password-hashing.ts'
import type { BookingTools } from '../booking/bookings/tools.ts'
import type { Config, ConfigSecrets } from '../config.ts'
import type { Notify } from '../grants/notify.ts'
import type { SenderOptions } from '../sending/delivery/sender.ts'
import type { Sending } from '../sending/sending.ts'
import type { SystemMail } from '../sending/system-mail.ts'
import type { Supervision } from '../supervisor/supervision.ts'
import type { Load } from '../telemetry/load.ts'
import type { Threads } from './threads.ts'

export interface Folders {
  /** The folder of the built dashboard. */
  dashboardDir: string
  /** The folder of the built reference and guides. */
  docsDir: string
  /** The folder of the built booking page. */
  bookingPageDir: string
}

/** How hosts that somebody else names are found and reached. */
export interface Lookups {
  /** Connections to public addresses only, for hosts that anybody may name. The caller closes them. */
  openPublicEgress(): Egress
  /** The mail exchangers of a domain, best first; empty if they cannot be resolved. */
  findMailExchangers(domain: string, signal: AbortSignal): Promise<string[]>
  /** The SRV record of a service, such as `_imaps._tcp.example.org`; undefined without one. */
  findService(name: string, signal: AbortSignal): Promise<{ host: string; port: number } | undefined>
}

/** Parts that tests bring in place of those that the settings describe. */
interface Replacements extends Folders, Lookups {
  clock: Clock
  database: Database
  egress: Egress
  load: Load
  log: Log
  mail: SystemMail
  notify: Notify
  providers: Providers
  room: DiskRoom
  sending: Sending
  threads: Threads
}

export interface BuildOptions extends Partial<Replacements> {
  /** The supervisor of this process, where several processes share the port. */
  supervision?: Supervision | undefined
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

/** What `createServices` was called with. */
export interface Given {
  config: Config
  configSecrets: ConfigSecrets
  overrides: BuildOptions
}
