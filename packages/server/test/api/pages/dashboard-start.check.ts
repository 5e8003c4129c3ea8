/** The link that a start prints in the terminal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@waypost/testing/peers/daemon'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { expect, test } from 'vitest'

interface Running extends AsyncDisposable {
  /** The output before the port was open. */
  greeting: string
}

async function start(dataDir: string, port: number): Promise<Running> {
  const env = {
    ...processEnvironment,
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_PORT: String(port),
    WAYPOST_LOG_LEVEL: 'info',
  }
  const main = await programFile('waypost')
  const server: ChildProcess = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  let text = ''
  for await (const chunk of server.stdout ?? []) {
    text += chunk
    if (text.includes('listening')) break
  }
  return {
    greeting: text,
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

test('every start prints a link until a first sign-in', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-start-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const linkIn = (text: string): string | undefined => /\/dashboard#link=([\w-]{43})\s/.exec(text)?.[1]
  {
    await using first = await start(folder.path, port)
    expect(linkIn(first.greeting)).toBeDefined()
    expect(first.greeting).toContain('npx waypost dashboard link')
  }
  {
    await using second = await start(folder.path, port)
    const answer = await fetch(`${base}/v3/admin/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base },
      body: JSON.stringify({ link: linkIn(second.greeting) }),
    })
    expect(answer.status).toBe(200)
    const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const session = await fetch(`${base}/v3/admin/session`, { headers: { cookie } })
    expect(session.status).toBe(200)
  }
  await using third = await start(folder.path, port)
  expect(third.greeting).toContain(`Dashboard      ${base}/dashboard\n`)
  expect(linkIn(third.greeting)).toBeUndefined()
})
