/** A node as `waypost serve` runs it, except that a point during sending, booking or approval (`FAILPOINT`) ends it like kill -9. */
import { readConfig } from '../../src/config.ts'
import { startNode } from '../../src/node.ts'
import { createServices } from '../../src/services/index.ts'

const { FAILPOINT, ...environment } = process.env
const { config, secrets } = readConfig(environment)
const services = await createServices(config, secrets, {
  serving: true,
  senderOptions: {
    // Longer than any operation takes on this machine.
    quarantineMs: 4_000,
    failpoint: (moment) => {
      if (moment === FAILPOINT) process.kill(process.pid, 'SIGKILL')
    },
  },
  approvalOptions: {
    failpoint: async (step) => {
      if (`approval ${step}` === FAILPOINT) process.kill(process.pid, 'SIGKILL')
    },
  },
  bookingOptions: {
    failpoint: (moment) => {
      if (`booking ${moment}` === FAILPOINT) process.kill(process.pid, 'SIGKILL')
    },
  },
})
const server = await startNode(services)
services.storage.log.info({ port: server.port }, 'listening')
process.once('SIGTERM', () => void server[Symbol.asyncDispose]())
