import type { ApiError } from '@waypost/platform/api-error'
import type { EffectsGate } from '../../agents/actions/effects-gate.ts'
import type { Services } from '../../services/services.ts'
import type { RateLimiter } from '../../telemetry/rate-limit.ts'
import type { HttpRequest } from '../http/http.ts'
import type { UploadMemory } from '../http/payload.ts'
import type { Authentication } from './authenticate.ts'
import type { PageAnswer, PageVisit } from './page.ts'
import type { ServedRoute } from './request-context.ts'
import type { Visits } from './visits.ts'

/** What the API uses for every request: groups of services, and what `create-app.ts` makes of the settings. */
export interface ApiServices
  extends Pick<Services, 'config' | 'storage' | 'telemetry' | 'accounts' | 'mail' | 'administration' | 'runtime'> {
  /** The client's address, taking trusted proxies into account. */
  addressOf(request: HttpRequest): string
  /** The page for a browser whose request is refused outside every route; undefined: the error is sent as JSON. */
  errorPage?(path: string, visit: PageVisit, error: ApiError): Promise<PageAnswer | undefined>
  /** A path in which segments that only clients name are replaced. */
  patternOf(path: string): string
  /** The routes by id, for calls within the process. */
  routes: ReadonlyMap<string, ServedRoute>
  authentication: Authentication
  /** Where errors are explained; the base address where the guides are turned off. */
  errorUri: string
  /** Absent when the operator turned limits off. */
  limiter: RateLimiter | undefined
  /** Counts requests of visitors. */
  visits: Visits
  /** Memory for bodies that carry files. */
  uploads: UploadMemory
  /** Judges what requests of restricted credentials send, delete or invite. */
  effectsGate: EffectsGate
}
