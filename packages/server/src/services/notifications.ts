/** Notifications: how applications are notified of changes, and the delivery to webhooks and channels. */

import { backfillTracking, kindOf } from '../changes/backfill.ts'
import type { Config, ConfigSecrets } from '../config.ts'
import { isReauthentication, type Notify } from '../grants/notify.ts'
import { createDeliverer, type Deliverer } from '../webhooks/leases/deliverer.ts'
import { createNotify } from '../webhooks/notify.ts'
import { createStream, type NextOfStream } from '../webhooks/stream.ts'
import type { ChannelOptions } from '../webhooks/transports/channel-settings.ts'
import type { Given } from './build-options.ts'
import type { Network } from './network.ts'
import type { Runtime } from './runtime.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

export interface Notifications {
  /** Notifies applications of a change, in its transaction. */
  notify: Notify
  /** Reads the stream of notifications of an application. */
  nextOfStream: NextOfStream
  /** What the operator set for notification channels. */
  channelOptions: ChannelOptions
  /** Delivers notifications to their destinations. */
  deliverer: Deliverer
}

interface NotificationParts {
  storage: Storage
  network: Network
  telemetry: Telemetry
  runtime: Runtime
  hasMail: boolean
  /** Called late: the watcher is built after this. */
  wakeWatcher(): void
}

const channelOptionsOf = (config: Config, { channels }: ConfigSecrets): ChannelOptions => ({
  endpoints: config.channelEndpoints,
  credentials: channels,
})

export function openNotifications(
  { config, configSecrets, overrides }: Given,
  parts: NotificationParts,
): Notifications {
  const { storage, runtime, telemetry, hasMail, wakeWatcher } = parts
  const { database, clock, log, secrets, payloads, signals } = storage
  const { egress } = parts.network
  const { attempted, tracer } = telemetry
  const { signatureHeader } = config
  const channelOptions = channelOptionsOf(config, configSecrets)
  const deliverer = createDeliverer({
    database,
    clock,
    log,
    secrets,
    payloads,
    egress,
    signatureHeader,
    channels: channelOptions,
    hasMail,
    nodeId: runtime.node.id,
    isHurried: runtime.isLeaving,
    maxRest: signals.maxRest,
    attempted,
    tracer,
  })
  const notify = overrides.notify ?? openNotify(storage, config, { wakeDeliverer: deliverer.wake, wakeWatcher })
  return { notify, nextOfStream: createStream(database, signals), channelOptions, deliverer }
}

/** The function that notifies applications of changes, and wakes the workers after the commit. */
function openNotify(
  { clock, database, seals, signals, afterwards }: Storage,
  { checkAnswers }: Config,
  { wakeDeliverer, wakeWatcher }: { wakeDeliverer(): void; wakeWatcher(): void },
): Notify {
  const write = createNotify({
    clock,
    engine: database.engine,
    isDistributed: () => database.isDistributed(),
    seals,
    checks: checkAnswers,
    onQueued: (tx) => afterwards(tx, wakeDeliverer),
  })
  // Readers of the stream are woken at every node.
  const wakeReaders = (): void => signals.raise('stream')
  const notify: Notify = async (tx, reported) => {
    await write(tx, reported)
    afterwards(tx, wakeReaders)
    if (kindOf(reported.trigger) === 'grant') afterwards(tx, wakeWatcher)
    if (isReauthentication(reported)) await backfillTracking(tx, reported, { notify, seals })
  }
  return notify
}
