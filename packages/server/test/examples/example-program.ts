/** A program of examples/, started as its users start it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '@waypost/testing/peers/daemon'
import { processEnvironment } from '@waypost/testing/programs'
import { expect, vi } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

export interface ExampleProgram extends AsyncDisposable {
  url: string
  printed(): string
  /** Kills it at once. */
  kill(): Promise<void>
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
}

/** Starts a program without waiting. */
export function runExample(file: string, env: Record<string, string | undefined>, args: string[] = []): ExampleProgram {
  const child = spawn(process.execPath, [`examples/${file}`, ...args], {
    cwd: root,
    env: { ...processEnvironment, ...env },
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return {
    url: `http://127.0.0.1:${env.PORT}`,
    printed: () => chunks.join(''),
    kill: () => end('SIGKILL'),
    ended,
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}

/** Starts a server, and waits until it reports that it listens. */
export async function startExample(file: string, env: Record<string, string | undefined>): Promise<ExampleProgram> {
  const program = runExample(file, { PORT: String(await freePort()), ...env })
  await vi.waitFor(() => expect(program.printed()).toContain('http://127.0.0.1:'), { interval: 50 })
  return program
}
