// The entry point of HTTP requests to EWS and Autodiscover: authentication, limits and dispatch.
import { type RawAnswer, type RawRequest, textAnswer } from '../shared/http.ts'
import type { SignIn } from './auth/sign-in.ts'
import type { AutodiscoverOptions, Places } from './autodiscover/places.ts'
import { answerPox } from './autodiscover/pox.ts'
import { answerSettings } from './autodiscover/soap.ts'
import type { World } from './model.ts'
import { answerSoap, faultAnswer, operationOf } from './soap/dispatch.ts'
import { EwsError } from './soap/errors.ts'
import { isSince } from './soap/versions.ts'
import type { Throttle } from './throttle.ts'
import { welcomeAnswer } from './welcome.ts'

export interface Entry {
  readonly world: World
  readonly signIn: SignIn
  readonly throttle: Throttle
  readonly places: Places
  readonly autodiscover: AutodiscoverOptions
  /** The maximum size of a request. */
  readonly maxRequestBytes: number
  /** Waits for the simulated latency of a response. */
  pause(): Promise<void>
}

const paths = {
  '/ews/exchange.asmx': 'ews',
  '/autodiscover/autodiscover.xml': 'pox',
  '/autodiscover/autodiscover.svc': 'soap',
} as const

export async function answerRequest(entry: Entry, request: RawRequest): Promise<RawAnswer> {
  const { world, autodiscover } = entry
  if (request.url.pathname === '/' && request.method === 'GET') return welcomeAnswer(world)
  const path = paths[request.url.pathname.toLowerCase() as keyof typeof paths]
  const isThere = path === 'soap' ? isSince(world.server.schema, 'Exchange2010') : path !== undefined
  if (!isThere) return textAnswer(404, '<h1>404 - File or directory not found.</h1>')
  const { redirectUrl: location } = autodiscover
  if (path === 'pox' && request.method === 'GET' && location !== undefined) return textAnswer(302, '', { location })
  const account = entry.signIn.of(request)
  if ('status' in account) return account
  const about = { account: account.email }
  if (request.method !== 'POST') return { ...textAnswer(200, '<h1>Service</h1>'), ...about }
  if (path === 'pox') return { ...answerPox(entry.places, request.body, world.now()), ...about }
  if (path === 'soap') return { ...answerSettings(world, entry.places, request.body), ...about }
  if (request.body.length > entry.maxRequestBytes) {
    return { ...textAnswer(413, '<h1>Request Entity Too Large</h1>'), ...about }
  }
  const work = async () => {
    await entry.pause()
    return answerSoap(world, request, account)
  }
  // Streaming connections have their own limit, counted elsewhere.
  if (operationOf(request) === 'GetStreamingEvents') return work()
  try {
    return await entry.throttle.during(account.id, work)
  } catch (error) {
    if (!(error instanceof EwsError)) throw error
    return { ...faultAnswer(error), ...about }
  }
}
