import type { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Cursors } from '@waypost/platform/cursor'
import type { Log } from '@waypost/platform/log'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { Tracer } from '@waypost/platform/span'
import type { Database } from '@waypost/store/engine/database'
import type { DiskRoom } from '@waypost/store/engine/disk-room'
import type { CustomerData } from '../../applications/customer-data.ts'
import type { ActivityBook } from '../../grants/activity.ts'
import type { Sessions } from '../../grants/sessions.ts'
import type { CredentialLog } from '../../telemetry/credential-log.ts'
import type { Load } from '../../telemetry/load.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { RateLimiter } from '../../telemetry/rate-limit.ts'
import type { RefusalLog } from '../../telemetry/refusal-log.ts'
import type { Traffic } from '../../telemetry/traffic.ts'
import type { UnderWay } from '../../telemetry/under-way.ts'
import type { HttpRequest } from '../http/http.ts'
import type { UploadMemory } from '../http/upload-memory.ts'
import type { Authentication } from './authenticate.ts'
import type { EffectsGate } from './effects-gate.ts'
import type { PageAnswer, PageVisit } from './page.ts'
import type { ServedRoute } from './request-context.ts'
import type { Visits } from './visits.ts'

/** The services that the API uses for every request; built once by `create-app.ts`. */
export interface ApiServices {
  /** Whether the reference is served to everybody (`WAYPOST_DOCS`). */
  hasDocs: boolean
  /** The client's address, taking trusted proxies into account. */
  addressOf(request: HttpRequest): string
  /** The page for a browser whose request is refused outside every route; undefined: the error is sent as JSON. */
  errorPage?(path: string, visit: PageVisit, error: ApiError): Promise<PageAnswer | undefined>
  /** A path in which segments that only clients name are replaced. */
  patternOf(path: string): string
  /** The routes by id, for calls within the process. */
  routes: ReadonlyMap<string, ServedRoute>
  database: Database
  authentication: Authentication
  cursors: Cursors
  secrets: Secrets
  /** Hashes the content of requests with an Idempotency-Key. */
  seals: Pick<DataSeals, 'hash'>
  clock: Clock
  log: Log
  metrics: Metrics
  /** Begins spans, where traces are on. */
  tracer?: Tracer | undefined
  /** Logs refused requests. */
  refusals: Pick<RefusalLog, 'note'>
  sessions: Sessions
  /** Counts the calls of applications and grants. */
  traffic?: Pick<Traffic, 'answered'>
  /** Records the requests of restricted API keys and agents. */
  credentialLog?: Pick<CredentialLog, 'answered'>
  /** Records the use of grants, and their errors. */
  activity?: Pick<ActivityBook, 'used' | 'failed'>
  /** Which customer data administrators may see, and the log of their access. */
  customerData?: Pick<CustomerData, 'need' | 'once'>
  nodeId: string
  /** The address of the service, for links. */
  baseUrl: string
  /** Where errors are explained; the base address where the guides are turned off. */
  errorUri: string
  /** Absent when the operator turned limits off. */
  limiter: RateLimiter | undefined
  /** Counts requests of visitors. */
  visits: Visits
  /** Room on the disk of the store; unlimited when absent. */
  room?: Pick<DiskRoom, 'needRoom'>
  /** Memory for bodies that carry files; unlimited when absent. */
  uploads?: UploadMemory
  /** Threads that parse mail from outside (`formats/parse-worker.ts`). */
  parse?: ParsePool
  /** Threads for large bodies (`sending/compose/worker.ts`). */
  composing?: ParsePool
  /** Is notified of valid credentials, so that requests are scheduled by application. */
  load?: Pick<Load, 'learn'>
  /** Requests that are not answered yet; a node that stops waits for them. */
  underWay: UnderWay
  /** Judges what requests of restricted credentials send, delete or invite. Without it their changes are refused. */
  effectsGate?: EffectsGate
  checkAnswers: boolean
}
