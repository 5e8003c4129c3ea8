/**
 * `npm run dev`, and `waypost dev` of the package: the service together with simulated providers, for development. In the
 * repository the service restarts when its files change; the simulators hold their accounts in memory. Data is in
 * data/dev, apart from that of `npm start`, with the API key, which is the same at every start.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeSimulator } from '../packages/simulators/src/command.ts'
import {
  defaultPorts,
  portVariables,
  type SimulatorKind,
  type StartedSimulator,
  startSimulator,
} from '../packages/simulators/src/start.ts'

const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
const watching = main.endsWith('.ts') ? ['--watch'] : []
const dataDir = process.env.WAYPOST_DATA_DIR || 'data/dev'

/** The port that a variable names; else the usual one, or any free port if another process uses it. */
async function portFor(name: string, variable: string, usual: number): Promise<number> {
  const named = process.env[variable]
  if (named) return Number(named)
  const free = (await tryPort(usual)) ?? (await tryPort(0))
  if (free === undefined) throw new Error('no port is free')
  if (free !== usual) console.log(`Port ${usual} is taken: ${name} is on ${free} (${variable} chooses another)`)
  return free
}

const tryPort = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })

/** The key of the sandbox application: created once and stored with the data. */
function developmentKey(): string {
  const file = path.join(dataDir, 'api.key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    const key = `wpk_dev_${randomBytes(24).toString('hex')}`
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${key}\n`, { mode: 0o600 })
    return key
  }
}

const port = await portFor('the service', 'WAYPOST_PORT', 3000)

const simulator = async (kind: SimulatorKind): Promise<StartedSimulator> =>
  startSimulator(kind, await portFor(`the simulated ${kind}`, portVariables[kind], defaultPorts[kind]))

const google = await simulator('google')
const microsoft = await simulator('microsoft')
const yahoo = await simulator('yahoo')
const exchange = await simulator('exchange')
const zoom = await simulator('zoom')
const simulators = [google, microsoft, yahoo, exchange, zoom]
const apiKey = process.env.WAYPOST_API_KEY || developmentKey()

const server = spawn(process.execPath, [...watching, main, 'serve'], {
  stdio: 'inherit',
  env: {
    NODE_ENV: 'development',
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_GOOGLE_URL: google.url,
    WAYPOST_MICROSOFT_URL: microsoft.url,
    WAYPOST_YAHOO_URL: yahoo.url,
    WAYPOST_EWS_URL: exchange.url,
    WAYPOST_ZOOM_URL: zoom.url,
    // The simulators are on this machine.
    WAYPOST_EGRESS: 'private',
    // The connectors of the sandbox get these clients at the first start.
    WAYPOST_GOOGLE_CLIENT_ID: google.client?.id,
    WAYPOST_GOOGLE_CLIENT_SECRET: google.client?.secret,
    WAYPOST_MICROSOFT_CLIENT_ID: microsoft.client?.id,
    WAYPOST_MICROSOFT_CLIENT_SECRET: microsoft.client?.secret,
    WAYPOST_YAHOO_CLIENT_ID: yahoo.client?.id,
    WAYPOST_YAHOO_CLIENT_SECRET: yahoo.client?.secret,
    ...process.env,
    WAYPOST_PORT: String(port),
    WAYPOST_API_KEY: apiKey,
  },
})

for (const each of simulators) console.log(`${describeSimulator(each)}\n`)
if (!process.env.WAYPOST_YAHOO_IMAP_URL) {
  console.log('The simulated Yahoo has no mail. Its accounts can be connected; docs/yahoo.md says how to add mailboxes')
}
console.log(
  `Sign in with one of them through http://127.0.0.1:${port}/v3/connect/auth, as docs/authentication.md shows\n`,
)
console.log(`API key of the sandbox application, the same at every start:\n  export WAYPOST_API_KEY=${apiKey}\n`)
console.log(`MCP endpoint for assistants, with this key as bearer token: http://127.0.0.1:${port}/mcp\n`)

/** Sends a request to the service as soon as it answers. */
async function callOnceReady(method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  for (let tries = 0; tries < 120 && server.exitCode === null; tries++) {
    const sent = fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(body) })
    const answer = await sent.catch(() => undefined)
    if (answer && answer.status < 500) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Creates the connectors for Exchange and Zoom, and enables the MCP endpoint. Other connectors come from the settings above. */
async function prepareSandbox(): Promise<void> {
  // After an earlier start the connectors exist, and the response is 409.
  await callOnceReady('POST', '/v3/connectors', { provider: 'ews' })
  const settings = { client_id: zoom.client?.id, client_secret: zoom.client?.secret }
  await callOnceReady('POST', '/v3/connectors', { provider: 'zoom', settings })
  await callOnceReady('PATCH', '/v3/applications', { mcp_enabled: true })
}
void prepareSandbox()

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', async (code) => {
  for (const each of simulators) await each[Symbol.asyncDispose]()
  process.exit(code ?? 0)
})
