import type { adminGrants } from '../admin-grants.ts'
import type { ApiKey, ApplicationSummary, adminApplications, apiKeys, Usage, usage } from '../administration.ts'
import { application } from './applications.ts'
import type { ExamplesOf } from './example.ts'
import { grant, virtualGrant } from './grants.ts'
import { applicationId, personId, requestId } from './shared.ts'

const { callback_uris: _uris, ...open } = application
const summary: ApplicationSummary = { ...open, grant_limit: null, grant_count: 2, mail_per_day: null }
const fresh: ApplicationSummary = {
  ...summary,
  application_id: '58d7e2b9-1c40-4f96-83a5-e0b7d4c6912f',
  environment: 'staging',
  branding: { name: 'Conference planner, staging' },
  hosted_authentication: {},
  idp_settings: {},
  grant_count: 0,
  created_at: 1_739_175_300,
  updated_at: 1_739_175_300,
}

export const adminApplicationExamples: ExamplesOf<typeof adminApplications> = {
  list: { query: { search: 'planner', limit: 50 }, answer: [summary] },
  create: { body: { name: 'Conference planner, staging', environment: 'staging' }, answer: fresh },
  get: { answer: summary },
  update: {
    body: { mail_per_day: 200 },
    answer: { ...summary, mail_per_day: 200 },
    more: { block: { summary: 'Blocked', body: { blocked: true }, answer: { ...summary, blocked: true } } },
  },
  countApprovals: { answer: { count: 2, more: false } },
}

export const key: ApiKey = {
  id: 'f03b6d58-a942-4c71-9e0f-7c15d8e4b260',
  application_id: applicationId,
  name: 'Backend',
  hint: 'wpk_production_k7m3x9qd…',
  permissions: ['all'],
  rights: null,
  status: 'active',
  expires_in: 365,
  expires_at: 1_767_957_000,
  last_used_at: null,
  created_by: { type: 'person', person_id: personId, name: 'Ada Okafor' },
  created_at: 1_736_421_000,
  updated_at: 1_736_421_000,
}
const params = { id: key.id }
/** A key of an assistant that reads and drafts for one account, and sends to one domain after approval. */
export const restrictedKey: ApiKey = {
  ...key,
  id: '2c9e4b17-6d50-4f83-a1be-9d7f03c5e842',
  name: 'Assistant',
  hint: 'wprk_production_t4h8wz2c…',
  permissions: ['mail.read', 'mail.draft', 'mail.send'],
  rights: {
    operations: ['mail.read', 'mail.draft', 'mail.send'],
    grants: { ids: [grant.id] },
    recipients: ['example.com', 'ben@partner.example'],
    messages_per_hour: 20,
    networks: ['203.0.113.0/24'],
    approval: ['send', 'delete', 'invite'],
    elicitation: true,
  },
  expires_in: null,
  expires_at: null,
}

export const apiKeyExamples: ExamplesOf<typeof apiKeys> = {
  list: { answer: [key] },
  create: {
    body: { name: 'Backend', expires_in: 365 },
    answer: {
      ...key,
      api_key: 'wpk_production_k7m3x9qd_N4vB8xK2cT6yM1qS9wZ3rP7hL5jD0fG2aEuIoVkTyNsX_5e09c1',
    },
    more: {
      restricted: {
        summary: 'A restricted key',
        body: { name: restrictedKey.name, rights: restrictedKey.rights },
        answer: {
          ...restrictedKey,
          api_key: 'wprk_production_t4h8wz2c_Q7nD1xR5kV9bT3yJ8mW2cH6sL4pF0gZaEuIoNkXyUsPv_a81d40',
        },
      },
    },
  },
  get: { params, answer: { ...key, expires_in: 333, last_used_at: 1_739_223_240 } },
  update: {
    params: { id: restrictedKey.id },
    body: { name: 'Assistant of sales', rights: { operations: ['mail.read', 'mail.draft'], approval: [] } },
    answer: {
      ...restrictedKey,
      name: 'Assistant of sales',
      permissions: ['mail.read', 'mail.draft'],
      rights: { operations: ['mail.read', 'mail.draft'], approval: [], elicitation: true },
      updated_at: 1_739_223_240,
    },
  },
  delete: { params },
  requests: {
    params,
    query: { outcome: 'failed' },
    answer: [
      {
        id: requestId,
        method: 'POST',
        operation: 'messages.send',
        tool: null,
        status: 403,
        error: 'recipient_not_allowed',
        grant_id: grant.id,
        time: 1_739_223_240,
      },
    ],
  },
}

export const adminGrantExamples: ExamplesOf<typeof adminGrants> = {
  list: {
    query: { search: 'okafor', grant_status: 'valid' },
    answer: [{ ...grant, last_used_at: 1_739_223_240 }],
  },
  count: { query: { grant_status: 'invalid', created_before: 1_735_689_600 }, answer: { count: 17, more: false } },
  complete: {
    body: {
      code: 'the code that came back with the browser',
      redirect_uri: 'https://waypost.example.com/dashboard/connected',
    },
    answer: grant,
  },
  activity: {
    answer: {
      last_used_at: 1_739_223_240,
      watch: {
        state: 'watching',
        node_id: '0194d6a1-3f27-7b58-9c04-e2d8a1f6b937',
        synced_at: 1_739_223_251,
        failures: 0,
        next_try_at: null,
      },
      errors: [
        {
          at: 1_739_210_400,
          operation: 'messages.list',
          type: 'rate_limit_error',
          message: 'Google asks for fewer requests',
          request_id: requestId,
        },
      ],
      operations: ['calendars.list', 'events.list', 'folders.list', 'messages.list', 'messages.send'],
    },
  },
  timeline: {
    query: { kinds: ['grant', 'errors'] },
    answer: [
      {
        id: 'error-0194f1c8-62d3-7a90-b415-8e3c07f9d2a6',
        at: 1_739_210_400,
        kind: 'error',
        reason: null,
        message: 'Google asks for fewer requests',
        operation: 'messages.list',
        type: 'rate_limit_error',
        notification_id: null,
        request_id: requestId,
        calls: null,
      },
      {
        id: 'grant-0194d6a1-3f27-7b58-9c04-e2d8a1f6b937',
        at: 1_739_145_600,
        kind: 'created',
        reason: null,
        message: null,
        operation: null,
        type: null,
        notification_id: null,
        request_id: requestId,
        calls: null,
      },
    ],
  },
  update: { body: { blocked: true }, answer: { ...grant, blocked: true } },
  revoke: { params: { grant_id: virtualGrant.id }, answer: { ...virtualGrant, grant_status: 'invalid' } },
}

const billed = { billed_grants: 2, by_provider: { google: 1, 'virtual-calendar': 1 } }
const used: Usage = {
  application_id: applicationId,
  name: application.branding.name,
  ...billed,
  months: [
    { month: '2025-02', ...billed },
    { month: '2025-01', ...billed },
  ],
}

export const usageExamples: ExamplesOf<typeof usage> = { list: { answer: [used] }, get: { answer: used } }
