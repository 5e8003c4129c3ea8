/** Builds the app from the services, for `serve`, tests and tools. */
import { contract } from '@waypost/contract'
import type { Arrival } from '@waypost/platform/forwarding'
import { createCarrier } from './agents/actions/carrier.ts'
import { createEffectsGate, type GateTools } from './agents/actions/effects-gate.ts'
import { createClientDocuments } from './agents/oauth/client-documents.ts'
import { type App, createApp } from './api/app.ts'
import { createHandlers } from './api/handlers/index.ts'
import { guardsOf } from './api/http/answer-guards.ts'
import { prefixOf } from './api/http/base-path.ts'
import { addressFinder } from './api/http/client-address.ts'
import type { HttpRequest } from './api/http/http.ts'
import { createUploadMemory } from './api/http/payload.ts'
import { attachmentLinks } from './api/mcp/attachment-links.ts'
import { tools } from './api/mcp/catalog.ts'
import { createMcp } from './api/mcp/mcp.ts'
import { approvalQuestions } from './api/mcp/protocol/approval-questions.ts'
import { openApiDocument } from './api/openapi/document.ts'
import { accountPages } from './api/pages/agents/account-pages.ts'
import { consentPages } from './api/pages/agents/consent.ts'
import { oauthPages } from './api/pages/agents/oauth-pages.ts'
import { createOwnerSignIn } from './api/pages/agents/owner-sign-in.ts'
import { bookingPages } from './api/pages/booking/booking-pages.ts'
import { createPageSource } from './api/pages/booking/page-source.ts'
import { contactPicturePage } from './api/pages/contact-pictures.ts'
import { dashboardPages, messageFramePage } from './api/pages/dashboard.ts'
import { dashboardOidcPages } from './api/pages/dashboard-oidc.ts'
import { docsPages, openApiPage } from './api/pages/docs.ts'
import { createHostedPages, hostedErrorPage } from './api/pages/hosted/hosted-pages.ts'
import type { Language } from './api/pages/hosted/languages.ts'
import { hostedPreviewPage } from './api/pages/hosted/preview.ts'
import { metricsPage } from './api/pages/metrics.ts'
import { pushPage } from './api/pages/push.ts'
import { uploadTarget } from './api/pages/upload-target.ts'
import type { ApiServices } from './api/pipeline/api-services.ts'
import type { Endpoint, LivePage, Page } from './api/pipeline/page.ts'
import type { AnyHandler } from './api/pipeline/request-context.ts'
import type { Visitor } from './applications/own-page.ts'
import type { SignInTools } from './grants/sign-in-request.ts'
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
  const { config, network, storage, telemetry, scheduling, administration } = services
  const hosted = { ...hostedTools(services), languages }
  const app: App = createApp({
    ...services,
    contract,
    // The types of the handlers were checked against the contract; the pipeline calls them all in the same way.
    handlers: createHandlers(services) as unknown as Record<string, Record<string, AnyHandler>>,
    prefix: prefixOf(config.baseUrl),
    guards: guardsOf(config.baseUrl),
    pages: (api) => [...pagesOf(services, languages), ...mcpPages(services, api), uploadTarget(services, api)],
    errorPage: (path, visit, error) => hostedErrorPage(hosted, path, visit, error),
    addressOf: addressFinder(config.trustedProxies),
    ...(network.exposure.isExposed ? {} : { onArrival: (request) => network.exposure.see(arrivalOf(request)) }),
    errorUri: config.docs ? `${config.baseUrl}/docs/guides/errors` : config.baseUrl,
    limiter: config.rateLimits ? telemetry.limiter : undefined,
    visitorLimits: scheduling.visitorLimits,
    uploads: createUploadMemory(uploadBytes),
    effectsGate: createEffectsGate(gateTools(services), (call) => app.call(call)),
    authentication: {
      queries: storage.database,
      admin: administration.adminAuthentication,
      keyUse: telemetry.keyUse,
      clock: storage.clock,
    },
  })
  services.agents.approvals.carryOutWith(createCarrier(storage, app.call))
  return app
}

/** What the sign-in of end users works with. */
function hostedTools({
  config: { baseUrl, strictOAuth },
  storage,
  accounts,
  notifications,
}: Pick<Services, 'config' | 'storage' | 'accounts' | 'notifications'>): SignInTools {
  const { providers, ioFor } = accounts
  return { ...storage, providers, ioFor, notify: notifications.notify, baseUrl, isStrict: strictOAuth }
}

/** What the gate of restricted credentials works with. */
const gateTools = ({ storage, accounts, mail, scheduling, agents }: Services): GateTools => ({
  ...storage,
  sessions: accounts.sessions,
  parse: mail.threads.parse,
  sending: mail.sending,
  uploads: mail.uploads,
  visitorLimits: scheduling.visitorLimits,
  approvals: agents.approvals,
})

function pagesOf(services: Services, languages: readonly Language[] | undefined): (Page | LivePage)[] {
  const { config, storage, network, accounts, mail, scheduling, administration, telemetry, runtime } = services
  const { baseUrl } = config
  const { database, log } = storage
  const { providers, watcher, pushTokens, ioFor } = accounts
  const { adminAuthentication: admin, oidc } = administration
  const { metrics, limiter } = telemetry
  const { supervision } = runtime
  const built = { baseUrl, log, violated: metrics.violated }
  return [
    openApiPage(() => openApiDocument(contract, { providers, baseUrl }), mayReadDocs(services)),
    metricsPage({
      families: supervision ? () => familiesOfAll(metrics, supervision) : () => metrics.families(),
      exposure: network.exposure,
      admin,
      token: runtime.metricsToken,
    }),
    {
      path: '/.well-known/jwks.json',
      contentType: 'application/json',
      read: () => JSON.stringify(accounts.idTokens.keys()),
    },
    messageFramePage({ dir: runtime.dashboardDir }),
    hostedPreviewPage({ admin, providers }),
    ...dashboardOidcPages({ baseUrl, oidc }),
    ...dashboardPages({ dir: runtime.dashboardDir, ...built }),
    ...(config.docs ? docsPages({ dir: runtime.docsDir, ...built }) : []),
    ...bookingPages({
      dir: runtime.bookingPageDir,
      source: createPageSource({ ...scheduling, mail: mail.identity }),
      ...built,
    }),
    { path: `${trackingPaths.open}:name`, answer: mail.tracking.open },
    { path: `${trackingPaths.click}:name`, answer: mail.tracking.click },
    contactPicturePage({ queries: database, seals: storage.seals }),
    ...createHostedPages({ ...hostedTools(services), ...network, limiter, limits: config.rateLimits, languages }),
    ...agentPages(services, languages),
    pushPage({ queries: database, providers, watcher, tokens: pushTokens, baseUrl, ioFor }),
  ]
}

/** The pages of account owners, and the authorization of agents. */
function agentPages(
  { config, storage, network, agents, administration, telemetry }: Services,
  languages: readonly Language[] | undefined,
): LivePage[] {
  const { baseUrl, docs: hasDocs, rateLimits: limits } = config
  const { clock } = storage
  const signIn = createOwnerSignIn({ ...storage, baseUrl, languages })
  const documents = createClientDocuments({ clock, openPublicEgress: network.openPublicEgress })
  const options = { ...storage, documents, baseUrl, limits, hasDocs, limiter: telemetry.limiter }
  return [
    ...signIn.pages,
    ...accountPages({ ...storage, baseUrl, approvals: agents.approvals, signIn, languages }),
    ...oauthPages(options),
    ...consentPages({ ...options, admin: administration.adminAuthentication, signIn, languages }),
  ]
}

/** The MCP endpoint with all tools. */
const mcpPages = (
  { config, runtime, agents, notifications }: Pick<Services, 'config' | 'runtime' | 'agents' | 'notifications'>,
  api: ApiServices,
): Endpoint[] => [
  ...createMcp({
    api,
    baseUrl: config.baseUrl,
    tools,
    questions: approvalQuestions(agents.approvals),
    stopping: runtime.stopping,
    nextOfStream: notifications.nextOfStream,
  }),
  attachmentLinks(api),
]

/** Whether a visitor may read `/openapi.json`: the dashboard needs it even where it is turned off for others. */
const mayReadDocs =
  ({ config, administration }: Pick<Services, 'config' | 'administration'>) =>
  async (visitor: Visitor): Promise<boolean> =>
    config.docs || (await administration.adminAuthentication.findSession(visitor)) !== undefined

/** A request in the form of the exposure check, which runs first. */
const arrivalOf = (request: HttpRequest): Arrival => ({
  header: (name) => request.header(name) ?? undefined,
  names: request.headerNames,
  httpVersion: request.httpVersion,
})
