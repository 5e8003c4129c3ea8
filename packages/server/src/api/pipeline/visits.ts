/**
 * Requests of visitors: of booking pages, and of the routes behind them by whoever presents no API key. They count against
 * the limits of their address as soon as they arrive. So a flood of one address is refused as such (429) although the node is
 * overloaded, and takes no place in line from others. An invalid request counts like a valid one.
 */
import { methodsOf, type Route } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { sessionIdIn } from '../../booking/scheduling-sessions.ts'
import type { VisitorLimits } from '../../booking/visitor-limits.ts'
import type { HttpRequest } from '../http/http.ts'
import { PathMatcher } from '../http/path-matcher.ts'
import { pathOf } from '../http/request.ts'
import type { RoutePath } from '../http/route-table.ts'
import { type AnyPage, methodOf } from './page.ts'

/** What a request counts against besides the visits of its address. */
type Visited = Pick<Route, 'rate'>

export interface Visits {
  /** Counts a request that arrives, if it is one of a visitor; false if it is beyond the limits and can only be refused. */
  arrive(request: HttpRequest): boolean
  /** Counts a request that has not been counted yet; returns the headers about its limit. Throws `rate_limited`. */
  count(request: HttpRequest, visited: Visited): Record<string, string>
}

interface VisitsOptions {
  limits: Pick<VisitorLimits, 'takeVisit' | 'takeBooking'>
  addressOf(request: HttpRequest): string
  prefix: string
  paths: readonly RoutePath[]
  pages: readonly AnyPage[]
}

/** Whether a request of a guest route presents nothing, or a scheduling session. */
export const isVisitor = (request: Pick<HttpRequest, 'header'>): boolean => {
  const authorization = request.header('authorization')
  if (authorization === null) return request.header('x-waypost-application') === null
  return sessionIdIn(authorization) !== undefined
}

export function createVisits({ limits, addressOf, prefix, paths, pages }: VisitsOptions): Visits {
  /** Undefined for pages that do not count. */
  const places = new PathMatcher<Visited | undefined>()
  for (const { named, path } of paths) {
    if (named.route.audience !== 'guest') continue
    for (const method of methodsOf(named.route)) places.add(method, path, named.route)
  }
  for (const page of pages) places.add(methodOf(page), page.path, 'isVisit' in page ? {} : undefined)
  const counted = new WeakMap<HttpRequest, Record<string, string> | ApiError>()

  const take = (request: HttpRequest, { rate }: Visited): Record<string, string> => {
    const address = addressOf(request)
    const headers = limits.takeVisit(address)
    if (rate === 'guestBooking') limits.takeBooking(address)
    return headers
  }
  const count: Visits['count'] = (request, visited) => {
    const known = counted.get(request)
    if (known instanceof ApiError) throw known
    if (known) return known
    try {
      const headers = take(request, visited)
      counted.set(request, headers)
      return headers
    } catch (error) {
      if (error instanceof ApiError) counted.set(request, error)
      throw error
    }
  }
  return {
    arrive(request) {
      // Most requests present an API key, and their path is matched only once.
      if (!isVisitor(request)) return true
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const visited = places.match(method, pathOf(request.target, prefix))[0]?.value
      if (!visited) return true
      try {
        count(request, visited)
        return true
      } catch (error) {
        if (error instanceof ApiError) return false
        throw error
      }
    },
    count,
  }
}
