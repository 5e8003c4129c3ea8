// A simulated Google by itself, on the port `SIMULATED_GOOGLE_PORT` (3100).
import { seededGoogle } from './google/seed.ts'

const google = await seededGoogle({ port: Number(process.env.SIMULATED_GOOGLE_PORT || 3100) })
console.log(`Simulated Google at ${google.url}`)
console.log(`Client id ${google.client.id}, client secret ${google.client.secret}`)
const accounts = google.accounts().map(({ email }) => email)
console.log(`Accounts: ${accounts.join(', ')}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => google[Symbol.asyncDispose]())
