import type { overview } from '../overview.ts'
import type { ExamplesOf } from './example.ts'
import { grant } from './grants.ts'
import { requestId } from './shared.ts'

const account = { grant_id: grant.id, email: grant.email, provider: grant.provider }

export const overviewExamples: ExamplesOf<typeof overview> = {
  get: {
    query: { hours: 1 },
    answer: {
      status: 'attention',
      problems: [
        {
          code: 'grants_expired',
          severity: 'attention',
          message: '1 grant lost its access in the last 24 hours: its person must authenticate again.',
          provider: null,
          webhook_id: null,
        },
      ],
      grants: { invalid: 1, not_fetched: 0 },
      step_seconds: 300,
      traffic: [
        {
          at: 1_739_223_000,
          requests: 412,
          refused: 3,
          errors: 0,
          provider_errors: 1,
          latency_p50_ms: 11,
          latency_p95_ms: 120,
        },
      ],
      providers: [
        {
          provider: 'google',
          requests: 398,
          errors: 1,
          last_error: {
            at: 1_739_223_120,
            operation: 'messages.list',
            type: 'rate_limit_error',
            message: 'Google asks for fewer requests',
            grant_id: grant.id,
            request_id: requestId,
          },
        },
      ],
      expired: [
        {
          ...account,
          at: 1_739_210_400,
          reason: 'credentials_refused',
          message: 'Token has been expired or revoked.',
          request_id: requestId,
          grant_status: 'invalid',
        },
      ],
      destinations: [
        {
          id: '8f1c2a6e-5d40-4b7a-9e13-0c6d8b2f7a95',
          transport: 'webhook',
          webhook_url: 'https://app.example.com/hooks/waypost',
          description: 'Production',
          status: 'active',
          status_updated_at: 1_739_145_600,
          waiting: 0,
          failed: 0,
          due_since: null,
        },
      ],
      recent: [{ ...account, at: 1_739_210_400, kind: 'expired' }],
    },
  },
}
