/** This process: its identity, the folders that it serves, and how it ends. */

import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { version } from '@waypost/platform/versions'
import type { Node } from '@waypost/store/tables/applications/nodes'
import type { Supervision } from '../supervisor/supervision.ts'
import type { Folders, Given } from './build-options.ts'

/** Time for running jobs when the node stops, and when it hands over to another process. */
const endingMs = 800
const handOverMs = 7_000

interface Leaving {
  /** Aborts when the node receives a signal to stop, or to hand over to another process. */
  stopping: AbortSignal
  /** Whether the node stops, and no other process answers in its place. `/ready` reports it to load balancers. */
  isLeaving(): boolean
  /** Aborts a moment later: running work ends now. */
  ending: AbortSignal
  stop(): void
  /** Ends background work like `stop`. Another process answers on the same port. */
  handOver(): void
}

export interface Runtime extends Folders, Leaving {
  node: Node
  /** The supervisor of this process, where several processes share the port. */
  supervision: Supervision | undefined
  /** Opens `/metrics`, where the settings have it. */
  metricsToken: string | undefined
}

/** Written out, because `npm run package` finds the folders by these texts. */
const builtPages = {
  dashboard: fileURLToPath(new URL('../../../dashboard/dist', import.meta.url)),
  docs: fileURLToPath(new URL('../../../docs/dist', import.meta.url)),
  bookingPage: fileURLToPath(new URL('../../../booking-page/dist', import.meta.url)),
}

export function openRuntime(
  { config, configSecrets, overrides }: Given,
  { id, startedAt }: Pick<Node, 'id' | 'startedAt'>,
): Runtime {
  const { supervision } = overrides
  // Several processes of a machine are distinguished by their numbers.
  const host = supervision ? `${hostname()}#${supervision.number}` : hostname()
  return {
    node: { id, startedAt, host, roles: config.roles, version: overrides.schema?.version ?? version },
    supervision,
    metricsToken: configSecrets.metricsToken,
    dashboardDir: overrides.dashboardDir ?? builtPages.dashboard,
    docsDir: overrides.docsDir ?? builtPages.docs,
    bookingPageDir: overrides.bookingPageDir ?? builtPages.bookingPage,
    ...openLeaving(),
  }
}

function openLeaving(): Leaving {
  const stopper = new AbortController()
  const ender = new AbortController()
  let isLeaving = false
  const leaveWithin = (milliseconds: number): void => {
    stopper.abort()
    setTimeout(() => ender.abort(), milliseconds).unref()
  }
  return {
    stopping: stopper.signal,
    ending: ender.signal,
    isLeaving: () => isLeaving,
    handOver: () => leaveWithin(handOverMs),
    stop() {
      isLeaving = true
      leaveWithin(endingMs)
    },
  }
}
