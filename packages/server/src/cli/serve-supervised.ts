/** One of several processes of the service, under a supervisor (WAYPOST_WORKERS). */
import { flushCompileCache } from 'node:module'
import { createLog } from '@waypost/platform/log'
import type { Config, ConfigSecrets } from '../config.ts'
import { endMs, type RunningNode, releaseNodes, startNode } from '../node.ts'
import { createServices } from '../services/index.ts'
import type { BuiltServices } from '../services/services.ts'
import { plainFamily } from '../supervisor/process-metrics.ts'
import { openSupervision, type Supervision } from '../supervisor/supervision.ts'
import { createNode, endWithin, exitOnFailure, greet } from './serve-node.ts'

/** Runs a node until the supervisor replaces it, stops it, or is gone. */
export async function serveSupervised(settings: Config, secrets: ConfigSecrets): Promise<void> {
  // A terminal sends these to all processes. The supervisor says what they mean.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  const supervision = await openSupervision()
  const config: Config = { ...settings, roles: [...supervision.roles] }
  const reported = untilReported(supervision)
  // During the start, the end of the service or of its supervisor ends the process at once.
  const exit = (): void => process.exit(0)
  supervision.stopped.addEventListener('abort', exit)
  const log = createLog(config.logLevel, undefined, { process: supervision.number })
  // While there is no other process, the port is free: there the first one says what it waits for.
  const create = supervision.isFirst ? createNode : createServices
  const services = await create(config, secrets, { serving: true, supervision, log })
  exitOnFailure(log)
  supervision.onRelease((nodes) => void releaseNodes(services, nodes))
  supervision.onFigures(async () => (await services.telemetry.metrics.families('node')).map(plainFamily))
  const node = await startNode(services, supervision.connections).catch(async (error) => {
    await services[Symbol.asyncDispose]()
    throw error
  })
  supervision.stopped.removeEventListener('abort', exit)
  if (!supervision.stopped.aborted) await beReady(services, supervision)
  await reported
  await leave(services, supervision, node)
}

async function beReady(services: BuiltServices, supervision: Supervision): Promise<void> {
  const { config } = services
  const { log } = services.storage
  const { node } = services.runtime
  const port = await supervision.ready(node.id)
  if (supervision.isFirst) await greet(services, { port, processes: supervision.count })
  log.info({ port, pid: process.pid, node: node.id, roles: config.roles }, 'ready')
  flushCompileCache()
}

/** Resolves when the process has to end. */
function untilReported(supervision: Supervision): Promise<void> {
  return new Promise((resolve) => {
    supervision.replaced.addEventListener('abort', () => resolve())
    supervision.stopped.addEventListener('abort', () => resolve())
    process.once('SIGTERM', () => {
      supervision.ending()
      resolve()
    })
  })
}

async function leave(
  { config, storage: { log } }: BuiltServices,
  supervision: Supervision,
  node: RunningNode,
): Promise<void> {
  const { stopped } = supervision
  const isReplaced = !stopped.aborted
  if (isReplaced) await node.handOver(stopped)
  // Nobody can connect any more, so nobody needs the announcement.
  const isSilent = !stopped.aborted || supervision.isOrphan() || !config.roles.includes('api')
  const announceMs = isSilent ? 0 : config.announceMs
  await endWithin(log, announceMs + endMs, () => node.end(announceMs))
}
