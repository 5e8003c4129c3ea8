// Simulated providers by themselves: `node main.ts` starts all, `node main.ts microsoft` one. Google listens on the port
// `SIMULATED_GOOGLE_PORT` (3100), Microsoft on `SIMULATED_MICROSOFT_PORT` (3200), Yahoo on
// `SIMULATED_YAHOO_PORT` (3300), Exchange on `SIMULATED_EWS_PORT` (3400).
import { SEEDED_PASSWORD, seededExchange } from './ews/seed.ts'
import { seededGoogle } from './google/seed.ts'
import { seededMicrosoft } from './microsoft/seed.ts'
import { seededYahoo } from './yahoo/seed.ts'

const { SIMULATED_GOOGLE_PORT, SIMULATED_MICROSOFT_PORT, SIMULATED_YAHOO_PORT, SIMULATED_EWS_PORT } = process.env
const starts = {
  google: () => seededGoogle({ port: Number(SIMULATED_GOOGLE_PORT || 3100) }),
  microsoft: () => seededMicrosoft({ port: Number(SIMULATED_MICROSOFT_PORT || 3200) }),
  yahoo: () => seededYahoo({ port: Number(SIMULATED_YAHOO_PORT || 3300) }),
  exchange: () => seededExchange({ port: Number(SIMULATED_EWS_PORT || 3400) }),
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(starts, name))
if (unknown.length > 0) {
  console.error(
    `There is no simulated ${unknown.join(', ')}: name some of ${Object.keys(starts).join(', ')}, or none for all`,
  )
  process.exit(1)
}

for (const [name, start] of Object.entries(starts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const simulator = await start()
  console.log(`Simulated ${name[0]?.toUpperCase()}${name.slice(1)} at ${simulator.url}`)
  if ('client' in simulator) {
    console.log(`Client id ${simulator.client.id}, client secret ${simulator.client.secret}`)
  } else console.log(`Passwords: ${SEEDED_PASSWORD}`)
  const accounts = simulator.accounts().map(({ email }) => email)
  console.log(`Accounts: ${accounts.join(', ')}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => simulator[Symbol.asyncDispose]())
}
