/** Separate processes for measured subjects, so that each has its own thread and its own processor time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Contender<Facts, Asked, Answer> extends AsyncDisposable {
  readonly facts: Facts
  /** Sends one request; only one at a time. */
  ask(question: Asked): Promise<Answer>
}

interface Told<Answer> {
  answer?: Answer
  error?: string
}

/** Starts a module that calls `contend`. */
export async function startContender<Start, Facts, Asked, Answer>(
  module: URL,
  start: Start,
): Promise<Contender<Facts, Asked, Answer>> {
  const child = fork(module, { execArgv: process.execArgv, serialization: 'advanced' })
  let heard = Promise.withResolvers<Told<unknown>>()
  child.on('message', (reported: Told<unknown>) => heard.resolve(reported))
  child.once('exit', (code) => heard.resolve({ error: `a process of the benchmark ended with ${code}` }))
  const hear = async <T>(): Promise<T> => {
    const { answer, error } = await heard.promise
    if (error !== undefined) throw new Error(error)
    return answer as T
  }
  child.send(start as object)
  const facts = await hear<Facts>()
  return {
    facts,
    ask(question) {
      heard = Promise.withResolvers()
      child.send(question as object)
      return hear<Answer>()
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      const over = once(child, 'exit')
      child.disconnect()
      await over
    },
  }
}

/** In the child process: opens the subject, reports facts about it, and answers requests until the parent ends. */
export async function contend<Start, Facts, Asked, Answer>(
  open: (
    start: Start,
  ) => Promise<{ facts: Facts; answer(question: Asked): Promise<Answer>; close(): Promise<unknown> }>,
): Promise<void> {
  const tell = (reported: Told<Facts | Answer>): void => void process.send?.(reported)
  const [start] = (await once(process, 'message')) as [Start]
  const { facts, answer, close } = await open(start)
  process.on('message', (question: Asked) => {
    answer(question).then(
      (found) => tell({ answer: found }),
      (error) => tell({ error: String(error instanceof Error ? error.stack : error) }),
    )
  })
  tell({ answer: facts })
  await once(process, 'disconnect')
  await close()
  process.exit(0)
}

/** Processor time in milliseconds since a moment, or since the start. */
export function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
