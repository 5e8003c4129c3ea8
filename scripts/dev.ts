/**
 * `npm run dev`, and `waypost dev` of the package: the service with a simulated Google, Microsoft, Yahoo and Exchange beside
 * it, for developing against. In the repository it starts anew when its files change; the simulators keep their accounts
 * in memory. Data is apart from that of `npm start`, in data/dev, with the API key, which is the same at every start.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededExchange, seededGoogle, seededMicrosoft, seededYahoo } from '../packages/simulators/src/index.ts'

const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
const watching = main.endsWith('.ts') ? ['--watch'] : []
const dataDir = process.env.WAYPOST_DATA_DIR || 'data/dev'

/** A port that can be opened: the wanted one, or where somebody else has it, any. One that the settings name must do. */
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

/** The key of the sandbox application: made once, kept beside the data. */
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
const google = await seededGoogle({ port: await portFor('the simulated Google', 'SIMULATED_GOOGLE_PORT', 3100) })
const microsoft = await seededMicrosoft({
  port: await portFor('the simulated Microsoft', 'SIMULATED_MICROSOFT_PORT', 3200),
})
const yahoo = await seededYahoo({ port: await portFor('the simulated Yahoo', 'SIMULATED_YAHOO_PORT', 3300) })
const exchange = await seededExchange({ port: await portFor('the simulated Exchange', 'SIMULATED_EWS_PORT', 3400) })
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
    // The simulators are on this machine.
    WAYPOST_EGRESS: 'private',
    // The sandbox's connectors get these clients at their first start.
    WAYPOST_GOOGLE_CLIENT_ID: google.client.id,
    WAYPOST_GOOGLE_CLIENT_SECRET: google.client.secret,
    WAYPOST_MICROSOFT_CLIENT_ID: microsoft.client.id,
    WAYPOST_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
    WAYPOST_YAHOO_CLIENT_ID: yahoo.client.id,
    WAYPOST_YAHOO_CLIENT_SECRET: yahoo.client.secret,
    ...process.env,
    WAYPOST_PORT: String(port),
    WAYPOST_API_KEY: apiKey,
  },
})

const simulators = { Google: google, Microsoft: microsoft, Yahoo: yahoo, Exchange: exchange }
for (const [name, simulator] of Object.entries(simulators)) {
  const emails = simulator.accounts().map(({ email }) => email)
  console.log(`Simulated ${name} at ${simulator.url} (accounts: ${emails.join(', ')})`)
}
console.log('The accounts at Exchange have the password simulated-password (docs/exchange.md)')
if (!process.env.WAYPOST_YAHOO_IMAP_URL) {
  console.log(
    'Yahoo is simulated without mail: its accounts can be connected; docs/yahoo.md says how to give them mailboxes',
  )
}
console.log(
  `Sign in with one of them through http://127.0.0.1:${port}/v3/connect/auth, as docs/authentication.md shows\n`,
)
console.log(`API key of the sandbox application, the same at every start:\n  export WAYPOST_API_KEY=${apiKey}\n`)

/** Accounts at Exchange need a connector without a client: the settings of providers with OAuth clients make the others. */
async function makeConnector(): Promise<void> {
  const url = `http://127.0.0.1:${port}/v3/connectors`
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  for (let tries = 0; tries < 120 && server.exitCode === null; tries++) {
    const body = JSON.stringify({ provider: 'ews' })
    // Where it was made by an earlier start, the answer is 409.
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
    if (answer && answer.status < 500) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
void makeConnector()

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', async (code) => {
  for (const simulator of Object.values(simulators)) await simulator[Symbol.asyncDispose]()
  process.exit(code ?? 0)
})
