/** Builds the services of a node, in order. */

import { newId } from '@waypost/platform/ids'
import type { Config, ConfigSecrets } from '../config.ts'
import { createSystemMail } from '../sending/system-mail.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { type Accounts, openAccounts } from './accounts.ts'
import { openAdministration, openInstallation } from './administration.ts'
import { openAgents } from './agents.ts'
import type { BuildOptions } from './build-options.ts'
import { type Mail, openMail } from './mail.ts'
import { openNetwork } from './network.ts'
import { openNotifications } from './notifications.ts'
import { openRuntime } from './runtime.ts'
import { openScheduling } from './scheduling.ts'
import type { BuiltServices } from './services.ts'
import { openStorage } from './storage.ts'
import { openTelemetry } from './telemetry.ts'
import { openThreads } from './threads.ts'

/** Builds everything in order; `overrides` are for tests. */
export async function createServices(
  config: Config,
  configSecrets: ConfigSecrets,
  overrides: BuildOptions = {},
): Promise<BuiltServices> {
  await using stack = new AsyncDisposableStack()
  const given = { config, configSecrets, overrides }
  const nodeId = newId()
  const counters = createMetrics()
  const storage = await openStorage(stack, given, { nodeId, metrics: counters })
  const installed = await openInstallation(given, storage)
  const runtime = openRuntime(given, { id: nodeId, startedAt: storage.clock.now() })
  const network = await openNetwork(stack, given, storage)
  const identity = overrides.mail ?? (configSecrets.mail && stack.use(createSystemMail(configSecrets.mail)))
  const threads = overrides.threads ?? stack.use(openThreads())
  const telemetry = openTelemetry(stack, given, {
    storage,
    counters,
    nodeId,
    threads,
    watcher: () => accounts.watcher,
  })
  const notifications = openNotifications(given, {
    storage,
    network,
    telemetry,
    runtime,
    hasMail: identity !== undefined,
    wakeWatcher: () => accounts.watcher.wake(),
  })
  const { notify } = notifications
  const accounts: Accounts = openAccounts(stack, given, {
    storage,
    network,
    telemetry,
    threads,
    notify,
    nodeId,
    mailAddress: identity?.address,
    readsReplies: configSecrets.mail?.inbox !== undefined,
    accountMail: (record, signal) => mail.accountMails.of(record, signal),
  })
  const { sessions, conferences, providers, watcher } = accounts
  const mail: Mail = openMail(stack, given, { storage, telemetry, identity, threads, notify, nodeId, sessions })
  storage.signals.on({ deliveries: notifications.deliverer.wake, watches: watcher.wake, sends: mail.sender.stir })
  const { limiter, metrics } = telemetry
  const scheduling = openScheduling(given, { storage, mail, notify, nodeId, sessions, conferences, limiter })
  const agents = openAgents(given, { storage, metrics, providers, identity, notify })
  const { egress } = network
  const administration = await openAdministration(given, { storage, installed, egress, limiter })
  const built = stack.move()
  return {
    config,
    storage,
    network,
    accounts,
    mail,
    scheduling,
    notifications,
    agents,
    administration,
    telemetry,
    runtime,
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  }
}
