/** `waypost apps …` and `waypost keys …`. */
import { ApprovalKind, KeyOperation } from '@waypost/contract'
import type { Noun, Option } from '../program/command.ts'
import { app, limit } from './options.ts'

const module = () => import('../applications.ts')

export const apps: Noun = {
  summary: 'Applications (tenants), each with its keys, grants and webhooks',
  list: 'list',
  verbs: {
    list: {
      summary: 'List applications',
      options: { limit },
      examples: { 'waypost apps list': 'ids, names, numbers of grants and whether they are blocked' },
      json: 'an array of applications, as returned by GET /v3/admin/applications: [{"application_id": "…", "environment": "production", "branding": {"name": "…"}, "grant_count": 3, …}]',
      onStore: async () => (await module()).appsList,
    },
    create: {
      summary: 'Create an application without a grant limit, with its first API key',
      words: [{ name: 'NAME', summary: 'name of the application' }],
      options: {
        environment: {
          value: 'ENVIRONMENT',
          summary: 'purpose of the application; shown in its keys',
          choices: ['production', 'staging', 'development'],
          usual: 'production',
        },
      },
      examples: {
        'waypost apps create "My application"': 'prints its key, only once',
        'waypost apps create Trial --environment staging --json': 'for programs',
      },
      json: '{"application_id": "…", "name": "…", "environment": "production", "api_key": "wpk_…"}',
      onStore: async () => (await module()).appsCreate,
    },
    change: {
      summary: 'Turn the notification stream on or off; set how long notifications are retained',
      options: {
        app,
        stream: { value: 'SWITCH', summary: 'the notification stream', choices: ['on', 'off'] },
        retention: { value: 'DAYS', summary: 'retention of notifications: 2 to 90 days, or default' },
      },
      examples: { 'waypost apps change --app "My application" --stream on --retention 14': 'both' },
      json: '{"application_id": "…", "notification_stream": true, "notification_days": 14}',
      onStore: async () => (await module()).appsChange,
    },
    mail: {
      summary: 'Set how many mails per day the service may send for an application in its own name',
      words: [{ name: 'NUMBER', summary: '0 to 999999, or default for WAYPOST_MAIL_PER_DAY' }],
      options: { app },
      examples: { 'waypost apps mail 1000 --app "My application"': 'a thousand invitations per day' },
      json: '{"application_id": "…", "mail_per_day": 1000}',
      onStore: async () => (await module()).appsMail,
    },
  },
}

/** The rights of a restricted key. */
const rights: Readonly<Record<string, Option>> = {
  allow: { value: 'OPERATIONS', summary: `what the key may do, comma-separated: ${KeyOperation.options.join(', ')}` },
  grant: { value: 'GRANTS', summary: 'the grants that it may use: ids or addresses, comma-separated (default: all)' },
  'grant-metadata': { value: 'KEY=VALUE', summary: 'the grants that it may use: all whose metadata has this pair' },
  recipient: {
    value: 'RECIPIENTS',
    summary: 'addresses and domains that it may send to and invite, comma-separated (default: all)',
  },
  'messages-per-hour': {
    value: 'NUMBER',
    summary: 'messages and invitations per hour (default: no limit)',
    atLeast: 1,
  },
  network: { value: 'NETWORKS', summary: 'addresses and ranges that it may be used from (default: all)' },
  'no-approval': {
    value: 'ACTIONS',
    summary: `actions that need no approval by a person, comma-separated: ${ApprovalKind.options.join(', ')}`,
  },
  'no-elicitation': { summary: 'approval only in the queue of the service, not in an MCP client' },
}

export const keys: Noun = {
  summary: 'API keys of an application: shown once, stored as hashes',
  list: 'list',
  verbs: {
    list: {
      summary: 'List the API keys of an application',
      more: 'The keys themselves cannot be shown, because the store has only their hashes. The hint is the beginning of a key.',
      options: { app, limit },
      examples: { 'waypost keys list --app "My application"': 'with their status and rights' },
      json: 'an array of keys, as returned by GET /v3/admin/applications/{id}/api-keys: [{"id": "…", "name": "…", "hint": "wpk_…", "status": "active", …}]',
      onStore: async () => (await module()).keysList,
    },
    create: {
      summary: 'Create an API key; it is shown only once',
      more: 'If you lost a key, create another one and revoke the lost one. With --allow the key is restricted: it may do only that. Sending, permanent deletion and inviting others then need the approval of a person, unless --no-approval names them. A key without --allow has all rights.',
      words: [{ name: 'NAME', summary: 'name of the key (default: the date, as "Key of 2026-11-16")', optional: true }],
      options: {
        app,
        'expires-in': { value: 'DAYS', summary: 'days until the key expires (default: never)', atLeast: 1 },
        ...rights,
      },
      examples: {
        'waypost keys create': 'a key of the sandbox application',
        'waypost keys create "Nightly export" --app "My application" --expires-in 90': 'for 90 days',
        'waypost keys create Assistant --allow mail.read,mail.draft --grant ada@example.com':
          'reads and drafts for one account',
        'waypost keys create Reports --allow mail.send --recipient example.com --messages-per-hour 20 --no-approval send':
          'sends to one domain',
      },
      json: '{"id": "…", "application_id": "…", "name": "…", "status": "active", "expires_in": 90, "api_key": "wpk_…", …}',
      onStore: async () => (await module()).keysCreate,
    },
    update: {
      summary: 'Rename an API key, or change the rights of a restricted one',
      more: 'With --allow, the options replace all rights of the key, from the next request on every node. A key that has all rights keeps them.',
      words: [{ name: 'KEY_ID', summary: 'id of the key from "waypost keys list"' }],
      options: { app, name: { value: 'NAME', summary: 'new name of the key' }, ...rights },
      examples: {
        'waypost keys update 01939a5e-7cb4-7d3e-8f21-6a1b2c3d4e5f --allow mail.read': 'it may only read from now on',
      },
      json: 'the key, as returned by GET /v3/admin/applications/{id}/api-keys/{id}: {"id": "…", "name": "…", "rights": {"operations": ["mail.read"], …}, …}',
      onStore: async () => (await module()).keysUpdate,
    },
    revoke: {
      summary: 'Revoke an API key immediately',
      words: [{ name: 'KEY_ID', summary: 'id of the key from "waypost keys list"' }],
      options: { app },
      examples: { 'waypost keys revoke 01939a5e-7cb4-7d3e-8f21-6a1b2c3d4e5f': 'requests with it are refused' },
      json: '{"id": "…", "status": "revoked"}',
      onStore: async () => (await module()).keysRevoke,
    },
    requests: {
      summary: 'List the requests of a restricted API key, newest first',
      more: 'Without contents, for 30 days. Keys with all rights have no such log.',
      words: [{ name: 'KEY_ID', summary: 'id of the key from "waypost keys list"' }],
      options: {
        app,
        failed: { summary: 'only refused and failed requests' },
        grant: { value: 'GRANT_ID', summary: 'only requests about this grant' },
        limit,
      },
      examples: { 'waypost keys requests 01939a5e-7cb4-7d3e-8f21-6a1b2c3d4e5f --failed': 'what it was refused' },
      json: 'an array of requests, as returned by GET /v3/admin/applications/{id}/api-keys/{id}/requests: [{"id": "…", "operation": "messages.send", "status": 403, "error": "recipient_not_allowed", …}]',
      onStore: async () => (await module()).keysRequests,
    },
  },
}
