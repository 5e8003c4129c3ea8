/** The supervisor, as one of its processes sees it. */
import type { Socket } from 'node:net'
import type { Role } from '@waypost/store/tables/applications/nodes'
import type { Family } from '../telemetry/exposition.ts'
import { createGivenConnections, type GivenConnections } from './given-connections.ts'
import { type GatheredFigures, type Order, type Report, supervisedVariable } from './messages.ts'
import { beatMs } from './process-failures.ts'

/** Longer than the supervisor waits for the others. */
const gatherMs = 4_000

export interface Supervision {
  /** The place of this process, from 1. */
  readonly number: number
  readonly count: number
  /** The first process of all: it migrates the store, and prints the addresses. */
  readonly isFirst: boolean
  readonly roles: readonly Role[]
  readonly connections: GivenConnections
  /** Aborts when another process has taken the place of this one. */
  readonly replaced: AbortSignal
  /** Aborts when the service stops, or when the supervisor is gone. */
  readonly stopped: AbortSignal
  /** Whether the supervisor is gone, so that no new connection can come. */
  isOrphan(): boolean
  /** Reports that the node can answer; resolves when the port is open. */
  ready(node: string): Promise<number>
  /** Reports that this process ends because somebody else told it to. */
  ending(): void
  /** Called with nodes that are dead for certain. */
  onRelease(call: (nodes: readonly string[]) => void): void
  /** Called for the figures of this process. */
  onFigures(read: () => Promise<Family[]>): void
  /** The figures of all processes; undefined if the supervisor does not answer. */
  gather(): Promise<GatheredFigures | undefined>
}

/** The channel to the supervisor: that of the process, except in tests. */
export interface Channel {
  send(report: Report): void
  on(event: 'message', call: (order: Order, socket?: Socket) => void): void
  on(event: 'disconnect', call: () => void): void
  /** From now on the channel does not keep the process alive: one that cannot start ends by itself. */
  unref(): void
}

const ownChannel = (): Channel => ({
  // While the supervisor ends, a report can no longer be sent; `disconnect` follows.
  send: (report) => void (process.connected && process.send?.(report, undefined, {}, () => undefined)),
  on(event: 'message' | 'disconnect', call: (order: Order, socket?: Socket) => void) {
    process.on(event, call as (order: unknown, socket: unknown) => void)
  },
  unref: () => process.channel?.unref(),
})

/** Whether a supervisor started this process. */
export const isSupervised = (environment: NodeJS.ProcessEnv): boolean =>
  environment[supervisedVariable] !== undefined && process.send !== undefined

/** Waits for the first message of the supervisor. */
export function openSupervision(channel: Channel = ownChannel()): Promise<Supervision> {
  const replacer = new AbortController()
  const stopper = new AbortController()
  const opened = Promise.withResolvers<number>()
  const begun = Promise.withResolvers<Supervision>()
  const requested = new Map<number, (figures: GatheredFigures | undefined) => void>()
  let isOrphan = false
  let lastRequested = 0
  let release: (nodes: readonly string[]) => void = () => undefined
  let readFigures: () => Promise<Family[]> = async () => []
  const connections = createGivenConnections((count) => channel.send({ type: 'closed', count }))

  const begin = ({ number, count, roles, isFirst }: Extract<Order, { type: 'begin' }>): Supervision => ({
    number,
    count,
    roles,
    isFirst,
    connections,
    replaced: replacer.signal,
    stopped: stopper.signal,
    isOrphan: () => isOrphan,
    ready(node) {
      channel.send({ type: 'ready', node })
      return opened.promise
    },
    ending: () => channel.send({ type: 'ending' }),
    onRelease(call) {
      release = call
    },
    onFigures(read) {
      readFigures = read
    },
    gather: () =>
      new Promise((resolve) => {
        const id = ++lastRequested
        const finish = (figures: GatheredFigures | undefined): void => {
          clearTimeout(timer)
          requested.delete(id)
          resolve(figures)
        }
        const timer = setTimeout(() => finish(undefined), gatherMs)
        requested.set(id, finish)
        channel.send({ type: 'ask-figures', id })
      }),
  })

  channel.on('message', (order, socket) => {
    if (order.type === 'begin') {
      channel.unref()
      begun.resolve(begin(order))
    } else if (order.type === 'open') opened.resolve(order.port)
    else if (order.type === 'hand-over') replacer.abort()
    else if (order.type === 'stop') stopper.abort()
    else if (order.type === 'release') release(order.nodes)
    else if (order.type === 'figures') requested.get(order.id)?.(order.figures)
    else if (order.type === 'read-figures') {
      const { id } = order
      void readFigures().then((families) => channel.send({ type: 'figures', id, families }))
    } else if (order.type === 'connection') {
      // First of all, so that the supervisor gives nobody else a socket that this process reads from.
      channel.send({ type: 'taken' })
      if (socket) connections.give(socket)
    }
  })
  channel.on('disconnect', () => {
    isOrphan = true
    stopper.abort()
  })
  setInterval(() => channel.send({ type: 'beat' }), beatMs).unref()
  return begun.promise
}
