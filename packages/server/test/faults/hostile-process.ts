/**
 * Hostile receivers in a separate process, so that floods do not slow down the runner, which measures time. As a
 * program it starts them, sends their addresses to its parent, and ends with it.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startHostileReceivers } from '@waypost/testing/peers/hostile-receivers'

export interface HostileProcess extends AsyncDisposable {
  readonly urls: readonly string[]
  /** The number of connections of each so far. */
  connections(): Promise<number[]>
}

export async function startHostileProcess(): Promise<HostileProcess> {
  const child = fork(fileURLToPath(import.meta.url), ['--hostile'])
  const [{ urls }] = await once(child, 'message')
  return {
    urls,
    async connections() {
      const reported = once(child, 'message')
      child.send('connections')
      return (await reported)[0].connections
    },
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

if (process.argv.includes('--hostile')) {
  const { receivers } = await startHostileReceivers()
  process.on('disconnect', () => process.exit())
  process.on('message', () => process.send?.({ connections: receivers.map(({ connections }) => connections) }))
  process.send?.({ urls: receivers.map(({ url }) => url) })
}
