/** In a separate process: a node. On request it reports its processor time and its number of store queries. */
import { createEgress } from '@waypost/platform/egress/egress'
import { openNode } from '../node.ts'
import { contend, cpuMs } from '../process.ts'

export interface ServiceFacts {
  url: string
  key: string
}

export interface Used {
  /** Milliseconds since the start. */
  cpu: number
}

await contend<{ ca: string }, ServiceFacts, 'used', Used>(async ({ ca }) => {
  const egress = createEgress({ mode: 'private', ca: [ca], trustLoopback: true })
  const node = await openNode({ WAYPOST_ROLES: 'api,worker', WAYPOST_LOG_LEVEL: 'error' }, { egress, serving: true })
  const url = await node.listen()
  return {
    facts: { url, key: node.key },
    answer: async () => ({ cpu: cpuMs() }),
    close: async () => node[Symbol.asyncDispose](),
  }
})
