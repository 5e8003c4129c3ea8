/**
 * A thousand nodes that share watched grants, and hundreds that share destinations, in virtual time. It reports how
 * soon all grants are watched again after many failures, how evenly the load is distributed, and the store queries
 * per node. 10,000 grants represent ten million. The figures do not depend on the machine. `--seed N` runs another
 * simulation.
 */
import { nodeLeaseMs } from '@waypost/store/tables/applications/nodes'
import { simulateDeliveries } from '../packages/server/test/simulation/delivering-nodes.ts'
import { simulate } from '../packages/server/test/simulation/watching-nodes.ts'
import { quick, report, rowOf } from './figures.ts'

const at = process.argv.indexOf('--seed')
const seed = at === -1 ? 1 : Number(process.argv[at + 1])
const size = quick
  ? { nodes: 200, grants: 2_000, troubleMs: 60_000, settleMs: 90_000 }
  : { nodes: 1_000, grants: 10_000, troubleMs: 120_000, settleMs: 90_000 }
const result = await simulate(seed, size)
const queue = quick ? { nodes: 50, destinations: 150 } : { nodes: 300, destinations: 900 }
const delivered = await simulateDeliveries(seed, { ...queue, troubleMs: 60_000, settleMs: 80_000 })
const broken = [...result.broken, ...delivered.broken]
for (const what of broken) console.error(`seed ${seed}: ${what}`)
if (broken.length > 0) process.exitCode = 1
const byQueue = `${queue.nodes} nodes, ${queue.destinations} destinations`
const of = `${size.nodes} nodes`
const converged = (result.convergenceMs ?? Number.POSITIVE_INFINITY) / nodeLeaseMs
report([
  rowOf(`${of}: all watched again after the last failure`, { figure: converged, unit: 'leases', aim: '<= 4' }),
  rowOf(`${of}: shards of the busiest over the mean`, { figure: result.shardLoad, unit: '', aim: '<= 1.30' }),
  rowOf(`${of}: grants of the busiest over the mean`, { figure: result.grantLoad, unit: '' }),
  rowOf(`${of}: statements of a node for its leases`, { figure: result.statementsPerNodeSecond, unit: 'per second' }),
  rowOf(`${of}: broken rules`, { figure: result.broken.length, unit: '', aim: '<= 0' }),
  rowOf(`${of}: deaths`, { figure: result.deaths, unit: '' }),
  rowOf(`${of}: freezes`, { figure: result.freezes, unit: '' }),
  rowOf(`${of}: writes of former owners, refused`, { figure: result.refused, unit: '' }),
  rowOf(`${byQueue}: broken rules`, { figure: delivered.broken.length, unit: '', aim: '<= 0' }),
  rowOf(`${byQueue}: destinations of the busiest over the mean`, {
    ...{ figure: delivered.busiest / delivered.mean, unit: '' },
  }),
  rowOf(`${byQueue}: destinations of the busiest`, { figure: delivered.busiest, unit: '' }),
  rowOf(`${byQueue}: statements of a node for its leases`, {
    ...{ figure: delivered.statementsPerNodeSecond, unit: 'per second' },
  }),
  rowOf(`${byQueue}: sent again after failures, of those sent`, {
    ...{ figure: (100 * delivered.repeated) / delivered.sent, unit: '%' },
  }),
])
