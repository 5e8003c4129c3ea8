/**
 * A node as `waypost serve` runs it, on a machine whose clock jumps by `CLOCK_STEP` milliseconds, and back, at each
 * SIGUSR2.
 */
import { readConfig } from '../../src/config.ts'
import { startNode } from '../../src/node.ts'
import { createServices } from '../../src/services/index.ts'

const { CLOCK_STEP = '0', ...environment } = process.env
const reported = Date.now
let step = 0
Date.now = () => reported() + step
process.on('SIGUSR2', () => {
  step = step === 0 ? Number(CLOCK_STEP) : 0
})
const { config, secrets } = readConfig(environment)
const services = await createServices(config, secrets, { serving: true })
const server = await startNode(services)
services.storage.log.info({ port: server.port }, 'listening')
process.once('SIGTERM', () => void server[Symbol.asyncDispose]())
