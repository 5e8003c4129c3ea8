/** Builds the app from the services, for `serve`, tests and tools. */
import { contract } from '@waypost/contract'
import type { Arrival } from '@waypost/platform/forwarding'
import { createClientDocuments } from './agents/oauth/client-documents.ts'
import { type App, createApp } from './api/app.ts'
import { createCarrier } from './api/handlers/agents/carry-out.ts'
import { createEffectsGate } from './api/handlers/agents/effects-gate.ts'
import { createHandlers } from './api/handlers/index.ts'
import { guardsOf } from './api/http/answer-guards.ts'
import { prefixOf } from './api/http/base-path.ts'
import { addressFinder } from './api/http/client-address.ts'
import type { HttpRequest } from './api/http/http.ts'
import { createUploadMemory } from './api/http/upload-memory.ts'
import { attachmentLinks } from './api/mcp/attachment-links.ts'
import { tools } from './api/mcp/catalog.ts'
import { createMcp } from './api/mcp/mcp.ts'
import { approvalQuestions } from './api/mcp/protocol/approval-questions.ts'
import { openApiDocument } from './api/openapi/document.ts'
import { accountPages } from './api/pages/agents/account-pages.ts'
import { consentPages } from './api/pages/agents/consent.ts'
import { oauthPages } from './api/pages/agents/oauth-pages.ts'
import { createOwnerSignIn, type OwnerSignIn } from './api/pages/agents/owner-sign-in.ts'
import { bookingPages } from './api/pages/booking/booking-pages.ts'
import { createPageSource } from './api/pages/booking/page-source.ts'
import { contactPicturePage } from './api/pages/contact-pictures.ts'
import { dashboardPages } from './api/pages/dashboard.ts'
import { dashboardOidcPages } from './api/pages/dashboard-oidc.ts'
import { docsPages } from './api/pages/docs.ts'
import { createHostedPages, hostedErrorPage } from './api/pages/hosted/hosted-pages.ts'
import type { Language } from './api/pages/hosted/languages.ts'
import { hostedPreviewPage } from './api/pages/hosted/preview.ts'
import { messageFramePage } from './api/pages/message-frame.ts'
import { metricsPage } from './api/pages/metrics.ts'
import { openApiPage } from './api/pages/openapi.ts'
import { pushPage } from './api/pages/push.ts'
import { uploadTarget } from './api/pages/upload-target.ts'
import type { ApiServices } from './api/pipeline/api-services.ts'
import type { Endpoint, LivePage, Page } from './api/pipeline/page.ts'
import type { AnyHandler } from './api/pipeline/request-context.ts'
import type { Visitor } from './applications/own-page.ts'
import { trackingPaths } from './sending/tracking/tracking.ts'
import type { Services } from './services/services.ts'
import { familiesOfAll } from './supervisor/process-metrics.ts'

/** Bytes of bodies with files that a node holds at a time. */
const uploadBytes = 536_870_912

export interface ServerAppOptions {
  /** Languages of the hosted pages, instead of the built-in ones. */
  languages?: readonly Language[]
}

export function createServerApp(services: Services, { languages }: ServerAppOptions = {}): App {
  const { config, database, clock, log, limiter } = services
  const hosted = { ...services, baseUrl: config.baseUrl, languages }
  const app: App = createApp({
    contract,
    // The types of the handlers were checked against the contract; the pipeline calls them all in the same way.
    handlers: createHandlers(services) as unknown as Record<string, Record<string, AnyHandler>>,
    prefix: prefixOf(config.baseUrl),
    guards: guardsOf(config.baseUrl),
    hasDocs: config.docs,
    pages: (api) => [...pagesOf(services, languages), ...mcpPages(services, api), uploadTarget(services, api)],
    errorPage: (path, visit, error) => hostedErrorPage(hosted, path, visit, error),
    addressOf: addressFinder(config.trustedProxies),
    ...(services.exposure.isExposed ? {} : { onArrival: (request) => services.exposure.see(arrivalOf(request)) }),
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
    customerData: services.customerData,
    traffic: services.traffic,
    credentialLog: services.credentialLog,
    nodeId: services.node.id,
    baseUrl: config.baseUrl,
    errorUri: config.docs ? `${config.baseUrl}/docs/guides/errors` : config.baseUrl,
    limiter: config.rateLimits ? limiter : undefined,
    visitorLimits: services.visitorLimits,
    room: services.room,
    uploads: createUploadMemory(uploadBytes),
    parse: services.threads.parse,
    composing: services.threads.composing,
    load: services.load,
    underWay: services.underWay,
    checkAnswers: config.checkAnswers,
    effectsGate: createEffectsGate(services, (call) => app.call(call)),
    authentication: {
      queries: database,
      admin: services.adminAuthentication,
      keyUse: services.keyUse,
      clock,
    },
  })
  services.approvals.carryOutWith(createCarrier(services, app))
  return app
}

function pagesOf(services: Services, languages: readonly Language[] | undefined): (Page | LivePage)[] {
  const { config, database, metrics, providers, tracking, watcher, supervision } = services
  const ownerSignIn = createOwnerSignIn({ ...services, baseUrl: config.baseUrl, languages })
  const built = { baseUrl: config.baseUrl, log: services.log, violated: metrics.violated }
  return [
    openApiPage(() => openApiDocument(contract, { providers, baseUrl: config.baseUrl }), mayReadDocs(services)),
    metricsPage({
      families: supervision ? () => familiesOfAll(metrics, supervision) : () => metrics.families(),
      exposure: services.exposure,
      admin: services.adminAuthentication,
      token: services.metricsToken,
    }),
    {
      path: '/.well-known/jwks.json',
      contentType: 'application/json',
      read: () => JSON.stringify(services.idTokens.keys()),
    },
    messageFramePage({ dir: services.dashboardDir }),
    hostedPreviewPage({ admin: services.adminAuthentication, providers }),
    ...dashboardOidcPages({ baseUrl: config.baseUrl, oidc: services.oidc }),
    ...dashboardPages({ dir: services.dashboardDir, ...built }),
    ...(config.docs ? docsPages({ dir: services.docsDir, ...built }) : []),
    ...bookingPages({ dir: services.bookingPageDir, source: createPageSource(services), ...built }),
    { path: `${trackingPaths.open}:name`, answer: tracking.open },
    { path: `${trackingPaths.click}:name`, answer: tracking.click },
    contactPicturePage({ queries: database, seals: services.seals }),
    ...createHostedPages({
      ...services,
      baseUrl: config.baseUrl,
      limits: config.rateLimits,
      isStrict: config.strictOAuth,
      languages,
    }),
    ...ownerSignIn.pages,
    ...accountPages({ ...services, baseUrl: config.baseUrl, signIn: ownerSignIn, languages }),
    ...agentPages(services, { signIn: ownerSignIn, languages }),
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

/** The authorization of agents. */
function agentPages(
  services: Services,
  { signIn, languages }: { signIn: OwnerSignIn; languages: readonly Language[] | undefined },
): LivePage[] {
  const { config } = services
  const options = {
    ...services,
    ...{ documents: createClientDocuments(services), baseUrl: config.baseUrl, limits: config.rateLimits },
    hasDocs: config.docs,
  }
  return [
    ...oauthPages(options),
    ...consentPages({ ...options, admin: services.adminAuthentication, signIn, languages }),
  ]
}

/** The MCP endpoint with all tools. */
const mcpPages = ({ config, stopping, approvals, nextOfStream }: Services, api: ApiServices): Endpoint[] => [
  ...createMcp({
    api,
    baseUrl: config.baseUrl,
    tools,
    questions: approvalQuestions(approvals),
    stopping,
    nextOfStream,
  }),
  attachmentLinks(api),
]

/** Whether a visitor may read `/openapi.json`: the dashboard needs it even where it is turned off for others. */
const mayReadDocs =
  ({ config, adminAuthentication }: Services) =>
  async (visitor: Visitor): Promise<boolean> =>
    config.docs || (await adminAuthentication.findSession(visitor)) !== undefined

/** A request in the form of the exposure check, which runs first. */
const arrivalOf = (request: HttpRequest): Arrival => ({
  header: (name) => request.header(name) ?? undefined,
  names: request.headerNames,
  httpVersion: request.httpVersion,
})
