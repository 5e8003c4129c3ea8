/** The client: one function per route, named like the route, created in a loop over the table of routes. */
import type { WaypostClient } from './generated/operations.ts'
import { routes } from './generated/routes.ts'
import { limits } from './generated/service-facts.ts'
import { itemsLive, type LiveArguments } from './live.ts'
import { type Settings, settingsOf, type WaypostOptions } from './options.ts'
import type { RouteFacts } from './route-facts.ts'
import { type CallArguments, send } from './send.ts'

/** Creates a client: `waypost.grants.get({ grant_id })`. It holds no connections and can be shared. */
export function createWaypost(options: WaypostOptions = {}): WaypostClient {
  const settings = settingsOf(options)
  const client = Object.entries(routes).map(([resource, operations]) => {
    const functions = Object.entries(operations).map(([name, route]) => [name, operationOf(settings, route)])
    return [resource, Object.fromEntries(functions)]
  })
  // The table and the type are generated from the same contract, which the compiler cannot verify.
  return Object.fromEntries(client) as WaypostClient
}

function operationOf(settings: Settings, route: RouteFacts): unknown {
  const call = (args: CallArguments = {}) => send(settings, route, args)
  if (!route.paged) return call
  const all = (args: CallArguments = {}) => itemsOf(settings, route, args)
  if (!route.events) return Object.assign(call, { all })
  return Object.assign(call, { all, stream: (args: LiveArguments = {}) => itemsLive(settings, route, args) })
}

/** A list that can wait never ends, so reading further pages waits for new items instead of polling. */
function waiting(settings: Settings, route: RouteFacts, query: CallArguments['query'] = {}): CallArguments['query'] {
  if (!route.waits) return query
  const longest = Math.min(limits.streamWaitSeconds, Math.floor(settings.timeoutMs / 2000))
  return { ...query, wait: query.wait ?? longest }
}

async function* itemsOf(settings: Settings, route: RouteFacts, args: CallArguments): AsyncGenerator<unknown, void> {
  let query = waiting(settings, route, args.query)
  for (;;) {
    const { data, nextCursor } = await send(settings, route, { ...args, query })
    if (Array.isArray(data)) yield* data
    if (nextCursor === undefined) return
    query = { ...query, page_token: nextCursor }
  }
}
