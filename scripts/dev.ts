/**
 * `npm run dev`: the service with a simulated Google beside it, for developing against. The service starts anew when its
 * files change; the simulator keeps its accounts in memory. Data is apart from that of `npm start`, in data/dev.
 */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { seededGoogle } from '../packages/simulators/src/index.ts'

const root = path.join(import.meta.dirname, '..')
const port = Number(process.env.WAYPOST_PORT || 3000)
const google = await seededGoogle({ port: Number(process.env.SIMULATED_GOOGLE_PORT || 3100) })

const server = spawn(process.execPath, ['--watch', 'packages/server/src/main.ts', 'serve'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    NODE_ENV: 'development',
    WAYPOST_PORT: String(port),
    WAYPOST_DATA_DIR: 'data/dev',
    WAYPOST_GOOGLE_URL: google.url,
    // The simulator is on this machine.
    WAYPOST_EGRESS: 'private',
    // The sandbox's connector gets this client at its first start.
    WAYPOST_GOOGLE_CLIENT_ID: google.client.id,
    WAYPOST_GOOGLE_CLIENT_SECRET: google.client.secret,
    ...process.env,
  },
})

console.log(
  `Simulated Google at ${google.url} (accounts: ${google
    .accounts()
    .map(({ email }) => email)
    .join(', ')})`,
)
console.log(
  `Sign in with one of them through http://127.0.0.1:${port}/v3/connect/auth, as docs/authentication.md shows\n`,
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', async (code) => {
  await google[Symbol.asyncDispose]()
  process.exit(code ?? 0)
})
