/** Child processes of the benchmark, each with one request at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Child extends AsyncDisposable {
  pid: number
  /** Sends a named request; rejects with the error of the process. */
  ask<T>(name: string, parameters?: object): Promise<T>
}

interface Answer {
  result?: unknown
  error?: string
}

/** Starts a file of this folder, which serves requests with `answering`. */
export async function startChild(file: string, parameters: object = {}): Promise<Child> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(parameters)])
  let answered = Promise.withResolvers<Answer>()
  child.on('message', (message: Answer) => answered.resolve(message))
  child.on('exit', () => answered.resolve({ error: `${file} ended` }))
  const next = async (): Promise<Answer> => {
    const answer = await answered.promise
    answered = Promise.withResolvers()
    return answer
  }
  const failed = (await next()).error
  if (failed) throw new Error(failed)
  return {
    pid: child.pid ?? 0,
    async ask<T>(name: string, requested: object = {}) {
      child.send({ name, requested })
      const { result, error } = await next()
      if (error !== undefined) throw new Error(error)
      return result as T
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** The parameters of this process. */
export const parametersOf = <T>(): T => JSON.parse(process.argv[2] ?? '{}')

/** Answers requests to this process until its parent ends. */
export function answering(
  answers: Record<string, (requested: never) => unknown>,
  stop: () => Promise<void> = async () => undefined,
): void {
  process.on('message', async ({ name, requested }: { name: string; requested: never }) => {
    try {
      process.send?.({ result: await answers[name]?.(requested) })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? String(error.stack) : String(error) })
    }
  })
  process.on('disconnect', () => void stop().then(() => process.exit()))
  process.send?.({})
}

/** The cost of some work in clock time and processor time, in milliseconds. */
export interface Spent {
  ms: number
  cpuMs: number
}

export async function spentOn(work: () => Promise<void>): Promise<Spent> {
  const cpu = process.cpuUsage()
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1000 }
}
