/** A node as `waypost serve` runs it, of a next version whose schema change has every kind of step. */
import { readConfig } from '../../src/config.ts'
import { startNode } from '../../src/node.ts'
import { createServices } from '../../src/services/index.ts'
import { nextSchema } from './next-schema.ts'

const { config, secrets } = readConfig(process.env)
const services = await createServices(config, secrets, { serving: true, schema: nextSchema })
const server = await startNode(services)
services.storage.log.info({ port: server.port }, 'listening')
process.once('SIGTERM', () => void server[Symbol.asyncDispose]())
