/**
 * `npm run dev`, and `waypost dev` of the package: the service with a simulated Google, Microsoft, Yahoo and Exchange beside
 * it, for developing against. In the repository it starts anew when its files change; the simulators keep their accounts
 * in memory. Data is apart from that of `npm start`, in data/dev.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { seededExchange, seededGoogle, seededMicrosoft, seededYahoo } from '../packages/simulators/src/index.ts'

const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
const watching = main.endsWith('.ts') ? ['--watch'] : []
const port = Number(process.env.WAYPOST_PORT || 3000)
const google = await seededGoogle({ port: Number(process.env.SIMULATED_GOOGLE_PORT || 3100) })
const microsoft = await seededMicrosoft({ port: Number(process.env.SIMULATED_MICROSOFT_PORT || 3200) })
const yahoo = await seededYahoo({ port: Number(process.env.SIMULATED_YAHOO_PORT || 3300) })
const exchange = await seededExchange({ port: Number(process.env.SIMULATED_EWS_PORT || 3400) })

const server = spawn(process.execPath, [...watching, main, 'serve'], {
  stdio: 'inherit',
  env: {
    NODE_ENV: 'development',
    WAYPOST_PORT: String(port),
    WAYPOST_DATA_DIR: 'data/dev',
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

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', async (code) => {
  for (const simulator of Object.values(simulators)) await simulator[Symbol.asyncDispose]()
  process.exit(code ?? 0)
})
