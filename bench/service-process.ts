/** The service as a separate process, as users run it, and its processor time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { adminPassword, type Client, newClient } from './client.ts'

export interface ServiceProcess extends AsyncDisposable, Client {
  pid: number
  base: string
  dataDir: string
}

/** Processor time of a process so far, in microseconds. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Resident memory of a process, in megabytes. */
export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Starts it with its own store, or with that of `databaseUrl`, and one application without limits. */
export async function startServiceProcess(
  databaseUrl?: string,
  { execArgv = [] }: { execArgv?: readonly string[] } = {},
): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [...execArgv, main, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      WAYPOST_PORT: '0',
      WAYPOST_DATA_DIR: dataDir,
      WAYPOST_ADMIN_PASSWORD: adminPassword,
      WAYPOST_RATE_LIMITS: 'off',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    },
  })
  const base = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const found = /API +(http:\S+)/.exec(text)
      if (found?.[1]) resolve(found[1])
    })
    child.once('exit', () => reject(new Error('the service ended before it listened')))
  })
  const client = await newClient((target, request) => fetch(`${base}${target}`, request))
  return {
    ...client,
    ...{ pid: child.pid ?? 0, base, dataDir },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
