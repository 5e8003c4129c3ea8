import type { audit, health } from '../dashboard.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId, personId } from './shared.ts'

export const auditExamples: ExamplesOf<typeof audit> = {
  list: {
    query: { action: 'apiKeys.create' },
    answer: [
      {
        id: '0194f1c8-62d3-7a90-b415-8e3c07f9d2a6',
        at: 1_736_421_000,
        actor: 'session',
        person_id: personId,
        person_name: 'Ada Okafor',
        address: '203.0.113.7',
        action: 'apiKeys.create',
        application_id: applicationId,
        target: 'f03b6d58-a942-4c71-9e0f-7c15d8e4b260',
        status: 200,
        grant_id: null,
        kind: 'change',
      },
    ],
  },
}

export const healthExamples: ExamplesOf<typeof health> = {
  get: {
    answer: {
      nodes: [
        {
          id: '0194d6a1-3f27-7b58-9c04-e2d8a1f6b937',
          started_at: 1_739_145_600,
          seen_at: 1_739_223_249,
          roles: ['api', 'worker'],
          watched_grants: 1,
          version: '1.3.2',
          host: 'waypost-1',
          stale: false,
        },
      ],
      outbox_jobs: 0,
      failed_jobs: 0,
      deliveries_waiting: 9,
      sends_waiting: 1,
      grants: { valid: 2, invalid: 0 },
      destinations: { active: 1, failing: 0, failed: 0, pause: 0 },
    },
  },
  series: {
    query: { hours: 1 },
    answer: [
      {
        at: 1_739_223_180,
        requests: 412,
        errors: 0,
        latency_p50_ms: 11,
        latency_p95_ms: 120,
        deliveries: 31,
        delivery_failures: 0,
        delivery_p50_ms: 85,
        provider_errors: 0,
        watched_grants: 1,
        memory_bytes: 184_549_376,
      },
      {
        at: 1_739_223_240,
        requests: 97,
        errors: 0,
        latency_p50_ms: 11,
        latency_p95_ms: 85,
        deliveries: 3,
        delivery_failures: 0,
        delivery_p50_ms: 60,
        provider_errors: 0,
        watched_grants: 1,
        memory_bytes: 184_549_376,
      },
    ],
  },
}
