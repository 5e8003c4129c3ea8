import type { CustomerData } from '../../applications/customer-data.ts'
import type { ActivityBook } from '../../grants/activity.ts'
import type { Sessions } from '../../grants/sessions.ts'
import type { Clock } from '../../lib/clock.ts'
import type { DataSeals } from '../../lib/crypto/data-seals.ts'
import type { Secrets } from '../../lib/crypto/secrets.ts'
import type { Cursors } from '../../lib/cursor.ts'
import type { Log } from '../../lib/log.ts'
import type { ParsePool } from '../../lib/parsing/pool.ts'
import type { Tracer } from '../../lib/span.ts'
import type { Database } from '../../store/engine/database.ts'
import type { Load } from '../../telemetry/load.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { RateLimiter } from '../../telemetry/rate-limit.ts'
import type { RefusalLog } from '../../telemetry/refusal-log.ts'
import type { Traffic } from '../../telemetry/traffic.ts'
import type { UnderWay } from '../../telemetry/under-way.ts'
import type { UploadMemory } from '../http/upload-memory.ts'
import type { Authentication } from './authenticate.ts'

/** What the pipeline needs of the services to take a request. */
export interface PipelineContext {
  database: Database
  authentication: Authentication
  cursors: Cursors
  secrets: Secrets
  /** Hashes what requests under a key hold. */
  seals: Pick<DataSeals, 'hash'>
  clock: Clock
  log: Log
  metrics: Metrics
  /** Begins spans, where traces are on. */
  tracer?: Tracer | undefined
  /** Logs what was refused. */
  refusals: Pick<RefusalLog, 'note'>
  sessions: Sessions
  /** Counts the calls of applications and grants. */
  traffic?: Pick<Traffic, 'answered'>
  /** Notes the use of grants, and what goes wrong with them. */
  activity?: Pick<ActivityBook, 'used' | 'failed'>
  /** What administrators may see of customers, and what they read of it. */
  customerData?: Pick<CustomerData, 'need' | 'once'>
  nodeId: string
  /** Where errors are explained; the base address where the guides are turned off. */
  errorUri: string
  /** Absent when the operator turned limits off. */
  limiter: RateLimiter | undefined
  /** Memory for bodies that carry files; unlimited when absent. */
  uploads?: UploadMemory
  /** Threads for what clients bring that is large (`sending/compose/worker.ts`). */
  composing?: ParsePool
  /** Hears whose credentials are good, so that each is served in turn. */
  load?: Pick<Load, 'learn'>
  /** What a node that ends has yet to answer. */
  underWay: UnderWay
  checkAnswers: boolean
}
