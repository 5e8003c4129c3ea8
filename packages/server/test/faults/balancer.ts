/** A balancer that checks `/ready`, as load balancers do. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from './node.ts'

/** How often the balancer checks whether a node is ready. */
const checkMs = 50

export interface Member {
  node: Node
  agent: Agent
  isReady: boolean
}

export interface Balancer extends Disposable {
  add(node: Node): Member
  readonly members: Set<Member>
  next(): Member | undefined
}

/** Chooses among the nodes that are ready, as balancers do. */
export function openBalancer(): Balancer {
  const members = new Set<Member>()
  let turn = 0
  let isOver = false
  const check = async (member: Member): Promise<void> => {
    while (!isOver && members.has(member)) {
      const response = await fetch(`${member.node.base}/ready`).catch(() => undefined)
      await response?.text()
      member.isReady = response?.status === 200
      await sleep(checkMs)
    }
  }
  return {
    members,
    add(node) {
      const member = { node, agent: new Agent({ keepAlive: true }), isReady: false }
      members.add(member)
      void check(member)
      return member
    },
    next() {
      const ready = [...members].filter(({ isReady }) => isReady)
      return ready[turn++ % Math.max(ready.length, 1)]
    },
    [Symbol.dispose]() {
      isOver = true
      for (const { agent } of members) agent.destroy()
    },
  }
}
