/** Puts the edge together from the services: the app that `serve`, tests and tools run. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { contract } from '@waypost/contract'
import type { Hono, Context as HonoContext } from 'hono'
import { createApp } from './api/app.ts'
import type { AnyHandler } from './api/handle-request.ts'
import { createHandlers } from './api/handlers/index.ts'
import { openApiDocument } from './api/openapi/document.ts'
import { contactPicturePage } from './api/pages/contact-pictures.ts'
import { dashboardPages } from './api/pages/dashboard.ts'
import { docsPages } from './api/pages/docs.ts'
import { createHostedPages } from './api/pages/hosted/hosted-pages.ts'
import { metricsPage } from './api/pages/metrics.ts'
import type { LivePage, Page } from './api/pages/page.ts'
import { pushPage } from './api/pages/push.ts'
import { createUploadMemory } from './api/upload-memory.ts'
import type { Arrival } from './lib/forwarding.ts'
import { trackingPaths } from './sending/tracking.ts'
import type { Services } from './services/services.ts'

/** Bytes of requests with files that a node holds at once. */
const uploadBytes = 536_870_912

export function createServerApp(services: Services): Hono {
  const { config, database, clock, log, limiter } = services
  return createApp({
    contract,
    // The types of the handlers were checked against the contract; the pipeline calls them all alike.
    handlers: createHandlers(services) as unknown as Record<string, Record<string, AnyHandler>>,
    prefix: new URL(config.baseUrl).pathname.replace(/\/$/, ''),
    pages: pagesOf(services),
    addressOf: addressFinder(config.trustedProxies),
    ...(services.exposure.isExposed ? {} : { arrived: (context) => services.exposure.see(arrivalOf(context)) }),
    pipeline: {
      database,
      clock,
      log,
      cursors: services.cursors,
      secrets: services.secrets,
      seals: services.seals,
      metrics: services.metrics,
      tracer: services.tracer,
      refusals: services.refusals,
      sessions: services.sessions,
      activity: services.activity,
      nodeId: services.node.id,
      errorUri: `${config.baseUrl}/docs/guides/errors`,
      limiter: config.rateLimits ? limiter : undefined,
      uploads: createUploadMemory(uploadBytes),
      composing: services.threads.composing,
      load: services.load,
      underWay: services.underWay,
      checkAnswers: config.checkAnswers,
      authentication: {
        queries: database,
        admin: services.adminAuthentication,
        keyUse: services.keyUse,
        clock,
      },
    },
  })
}

function pagesOf(services: Services): (Page | LivePage)[] {
  const { config, database, metrics, providers, tracking, watcher } = services
  const openapi = onFirstCall(() => JSON.stringify(openApiDocument(contract, { providers, baseUrl: config.baseUrl })))
  const built = { baseUrl: config.baseUrl, log: services.log, violated: metrics.violated }
  return [
    { path: '/openapi.json', contentType: 'application/json', read: openapi },
    metricsPage({
      metrics,
      exposure: services.exposure,
      admin: services.adminAuthentication,
      token: services.metricsToken,
    }),
    {
      path: '/.well-known/jwks.json',
      contentType: 'application/json',
      read: () => JSON.stringify(services.idTokens.keys()),
    },
    ...dashboardPages({ dir: services.dashboardDir, ...built }),
    ...docsPages({ dir: services.docsDir, ...built }),
    { path: `${trackingPaths.open}:name`, answer: tracking.open },
    { path: `${trackingPaths.click}:name`, answer: tracking.click },
    contactPicturePage({ queries: database, seals: services.seals }),
    ...createHostedPages({ ...services, baseUrl: config.baseUrl, limits: config.rateLimits }),
    pushPage({
      queries: database,
      providers,
      watcher,
      tokens: services.pushTokens,
      baseUrl: config.baseUrl,
      ioFor: services.ioFor,
    }),
  ]
}

/** Computes a value when it is first asked for: describing every route takes longer than all else that a start does. */
function onFirstCall<T>(compute: () => T): () => T {
  let value: { computed: T } | undefined
  return () => {
    value ??= { computed: compute() }
    return value.computed
  }
}

/** A request as it came, for who looks at its headers before anything else does. */
function arrivalOf({ env, req }: HonoContext): Arrival {
  const incoming: IncomingMessage | undefined = env?.incoming
  return {
    header: (name) => (incoming ? incoming.headers[name]?.toString() : req.raw.headers.get(name)) ?? undefined,
    httpVersion: incoming?.httpVersion,
  }
}

/** The client's address: the last one in X-Forwarded-For that is not one of our proxies, if a proxy calls at all. */
function addressFinder(proxies: readonly string[]): (context: HonoContext) => string {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (context) => {
    let address: string = context.env?.incoming?.socket?.remoteAddress ?? 'local'
    const hops = context.req.header('x-forwarded-for')?.split(',').reverse() ?? []
    for (const hop of hops) {
      if (!isTrusted(address)) break
      address = hop.trim()
    }
    return address
  }
}
