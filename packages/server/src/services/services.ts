/** The services of a node, in groups. A handler, a page or a command receives the groups that it uses. */

import type { Config } from '../config.ts'
import type { Accounts } from './accounts.ts'
import type { Administration } from './administration.ts'
import type { Agents } from './agents.ts'
import type { Mail } from './mail.ts'
import type { Network } from './network.ts'
import type { Notifications } from './notifications.ts'
import type { Runtime } from './runtime.ts'
import type { Scheduling } from './scheduling.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

export interface Services {
  config: Config
  /** The store, with its keys and its clock, and the log. */
  storage: Storage
  /** Connections to other hosts. */
  network: Network
  /** The accounts of end users at their providers. */
  accounts: Accounts
  /** Outgoing mail. */
  mail: Mail
  /** Bookings. */
  scheduling: Scheduling
  /** Notifications of applications. */
  notifications: Notifications
  /** Approvals of what agents and restricted keys want to do. */
  agents: Agents
  /** The administrators, and the installation that they administer. */
  administration: Administration
  /** Metrics, traces, limits and records of use. */
  telemetry: Telemetry
  /** This process, and how it ends. */
  runtime: Runtime
}

export interface BuiltServices extends Services, AsyncDisposable {}
