import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { quick, round } from '../figures.ts'
import type { IdleWork, Memory } from './memory-process.ts'

const idleGrants = quick ? [1, 20, 60] : [1, 50, 500]

/**
 * The memory of idle watched grants, compared with sockets that do the same; each count runs in a separate process.
 */
export async function benchMemory(server: MailServer): Promise<Record<string, number>> {
  const max = Math.max(...idleGrants)
  const least = Math.min(...idleGrants)
  const boxes: Mailbox[] = []
  for (let number = 0; number < max; number++) boxes.push(await server.addUser())
  const place = { imapsPort: server.imapsPort, ca: server.ca }
  const memoryOf = (kind: IdleWork['kind'], count: number): Promise<Memory> =>
    inProcess({ kind, server: place, boxes: boxes.slice(0, count) })
  const figures: Record<string, number> = {}
  const grants = new Map<number, Memory>()
  for (const count of idleGrants) {
    const memory = await memoryOf('grants', count)
    grants.set(count, memory)
    figures[`used_mb_${count}`] = round(memory.used / 1e6, 1)
    figures[`rss_mb_${count}`] = round(memory.rss / 1e6, 1)
  }
  const few = await memoryOf('sockets', least)
  const many = await memoryOf('sockets', max)
  const grown = (kind: keyof Memory): number => (grants.get(max)?.[kind] ?? 0) - (grants.get(least)?.[kind] ?? 0)
  const kilobytes = (bytes: number): number => round(bytes / (max - least) / 1024, 1)
  return {
    ...figures,
    socket_kb: kilobytes(many.used - few.used),
    grant_kb: kilobytes(grown('used')),
    beside_socket_kb: kilobytes(grown('used') - (many.used - few.used)),
    beside_socket_rss_kb: kilobytes(grown('rss') - (many.rss - few.rss)),
  }
}

async function inProcess(work: IdleWork): Promise<Memory> {
  const program = fileURLToPath(new URL('./memory-process.ts', import.meta.url))
  const child: ChildProcess = fork(program, [], { execArgv: ['--expose-gc'] })
  child.send(work)
  const [memory] = await once(child, 'message')
  await once(child, 'exit')
  return memory
}
