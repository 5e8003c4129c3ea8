/**
 * `npm run dev` as a developer uses it: it starts, an account of a simulated provider is connected, and all of its
 * processes end.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@waypost/testing/peers/daemon'
import { processEnvironment } from '@waypost/testing/programs'
import { expect, test, vi } from 'vitest'
import type { Json } from './conformance/accounts.ts'
import { consent } from './journeys/sign-in/hosted-google.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const simulated = ['GOOGLE', 'MICROSOFT', 'YAHOO', 'EWS'].map((name) => `SIMULATED_${name}_PORT`)

/** The command that the script runs once the pages are built. */
async function devCommand(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  return scripts.dev.split('exec node ')[1].split(' ')
}

const isOpen = async (port: number): Promise<boolean> => {
  const socket = createConnection({ port, host: '127.0.0.1' })
  const opened = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return opened
}

test('npm run dev connects a simulated account that the printed key can read, and a signal ends all processes', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-dev-'))
  const ports = { WAYPOST_PORT: await freePort() } as Record<string, number>
  for (const name of simulated) ports[name] = await freePort()
  const settings = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]))
  const dev = spawn(process.execPath, await devCommand(), {
    cwd: root,
    env: { ...processEnvironment, ...settings, WAYPOST_DATA_DIR: folder.path, WAYPOST_LOG_LEVEL: 'warn' },
  })
  let said = ''
  for (const stream of [dev.stdout, dev.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const ended = once(dev, 'exit')
  try {
    const base = `http://127.0.0.1:${ports.WAYPOST_PORT}`
    await vi.waitFor(() => expect(said).toContain('Waypost is running'), { timeout: 90_000, interval: 50 })
    const [, key = ''] = /WAYPOST_API_KEY=(\S+)/.exec(said) ?? []
    const call = async (method: string, at: string, body?: object): Promise<{ status: number; body: Json }> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const answer = await fetch(base + at, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      return { status: answer.status, body: await answer.json() }
    }
    const { application_id: id } = (await call('GET', '/v3/applications')).body.data
    const redirectUri = 'http://127.0.0.1/cb'
    expect((await call('POST', '/v3/applications/redirect-uris', { url: redirectUri })).status).toBeLessThan(300)

    const [, account = ''] = /Simulated Google at .*\n.*\n {2}(\S+)/.exec(said) ?? []
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: redirectUri,
      response_type: 'code',
      provider: 'google',
    })
    const left = await fetch(`${base}/v3/connect/auth?${query}`, { redirect: 'manual' })
    const cookie = left.headers.getSetCookie().map((each) => each.split(';', 1)[0])
    const back = await consent(left.headers.get('location') ?? '', { account })
    const returned = await fetch(back, { redirect: 'manual', headers: { cookie: cookie.join('; ') } })
    const code = new URL(returned.headers.get('location') ?? '').searchParams.get('code')
    const exchange = {
      client_id: id,
      client_secret: key,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
    }
    const granted = await call('POST', '/v3/connect/token', exchange)
    expect(granted.body, said).toMatchObject({ email: account, provider: 'google' })
    const calendars = await call('GET', `/v3/grants/${granted.body.grant_id}/calendars`)
    expect(calendars.body.data).toContainEqual(expect.objectContaining({ is_primary: true }))
    const events = await call('GET', `/v3/grants/${granted.body.grant_id}/events?calendar_id=primary`)
    expect(events.body.data.length).toBeGreaterThan(0)
  } finally {
    dev.kill('SIGTERM')
    const [code] = await ended
    expect(code, said).toBe(0)
  }
  for (const [name, port] of Object.entries(ports)) expect(await isOpen(port), name).toBe(false)
})
