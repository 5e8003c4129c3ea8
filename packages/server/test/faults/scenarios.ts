import type { Scenario } from './scenario.ts'
import { apiKills } from './scenarios/api-kills.ts'
import { approvalKill } from './scenarios/approval-kill.ts'
import { bookingKill } from './scenarios/booking-kill.ts'
import { bookingRace } from './scenarios/booking-race.ts'
import { brokerKillsAmqp, brokerKillsNats, brokerKillsPubsub, brokerKillsSns } from './scenarios/broker-kills.ts'
import { busyStops } from './scenarios/busy-stops.ts'
import { changeKills } from './scenarios/change-kills.ts'
import { citusWorkerKill } from './scenarios/citus-worker-kill.ts'
import { clockSteps } from './scenarios/clock-steps.ts'
import { ewsKills } from './scenarios/ews-kills.ts'
import { failover } from './scenarios/failover.ts'
import { freezes } from './scenarios/freezes.ts'
import { fullDisk } from './scenarios/full-disk.ts'
import { gracefulStops } from './scenarios/graceful-stops.ts'
import { hostileReceivers } from './scenarios/hostile-receivers.ts'
import { invitationKills } from './scenarios/invitation-kills.ts'
import { largeNotifications } from './scenarios/large-notifications.ts'
import { microsoftKills } from './scenarios/microsoft-kills.ts'
import { overload } from './scenarios/overload.ts'
import { postgresOutage } from './scenarios/postgres-outage.ts'
import { postgresRestarts } from './scenarios/postgres-restarts.ts'
import { replyKills } from './scenarios/reply-kills.ts'
import { rollingRestarts } from './scenarios/rolling-restarts.ts'
import { sendKills } from './scenarios/send-kills.ts'
import { sendRaces } from './scenarios/send-races.ts'
import { singleNodeKills } from './scenarios/single-node-kills.ts'
import { rollback, rollingUpgrade, schemaChange } from './scenarios/upgrades.ts'
import { watcherKills } from './scenarios/watcher-kills.ts'
import { workerCrash } from './scenarios/worker-crash.ts'
import { workerKills } from './scenarios/worker-kills.ts'

/** Every scenario, in running order. */
export const scenarios: readonly Scenario[] = [
  workerKills,
  singleNodeKills,
  apiKills,
  freezes,
  postgresRestarts,
  postgresOutage,
  citusWorkerKill,
  failover,
  hostileReceivers,
  brokerKillsNats,
  brokerKillsAmqp,
  brokerKillsPubsub,
  brokerKillsSns,
  largeNotifications,
  overload,
  gracefulStops,
  busyStops,
  rollingRestarts,
  rollingUpgrade,
  rollback,
  schemaChange,
  workerCrash,
  fullDisk,
  watcherKills,
  sendKills,
  sendRaces,
  clockSteps,
  changeKills,
  replyKills,
  microsoftKills,
  ewsKills,
  invitationKills,
  bookingRace,
  bookingKill,
  approvalKill,
]
