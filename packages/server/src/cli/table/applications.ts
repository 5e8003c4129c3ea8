/** `waypost apps …` and `waypost keys …`. */
import type { Noun } from '../program/command.ts'
import { app, limit } from './options.ts'

const module = () => import('../applications.ts')

export const apps: Noun = {
  summary: 'The tenants, each with its keys, grants and webhooks',
  list: 'list',
  verbs: {
    list: {
      summary: 'List the applications',
      options: { limit },
      examples: [{ line: 'waypost apps list', what: 'ids, names, grants and whether they are blocked' }],
      json: 'an array of applications, as GET /v3/admin/applications answers them: [{"application_id": "…", "environment": "production", "branding": {"name": "…"}, "grant_count": 3, …}]',
      onStore: async () => (await module()).appsList,
    },
    create: {
      summary: 'Create an application without a limit of grants, with its first API key',
      words: [{ name: 'NAME', summary: 'what it is called' }],
      options: {
        environment: {
          value: 'ENVIRONMENT',
          summary: 'what it is for; the word stands in its keys',
          choices: ['production', 'staging', 'development'],
          usual: 'production',
        },
      },
      examples: [
        { line: 'waypost apps create "My application"', what: 'its key is printed, only then' },
        { line: 'waypost apps create Trial --environment staging --json', what: 'for a program' },
      ],
      json: '{"application_id": "…", "name": "…", "environment": "production", "api_key": "wpk_…"}',
      onStore: async () => (await module()).appsCreate,
    },
    change: {
      summary: 'Switch the stream of notifications on or off; set how long notifications are kept',
      options: {
        app,
        stream: { value: 'SWITCH', summary: 'the stream of notifications', choices: ['on', 'off'] },
        retention: { value: 'DAYS', summary: 'how long notifications are kept: 2 to 90 days, or default' },
      },
      examples: [{ line: 'waypost apps change --app "My application" --stream on --retention 14', what: 'both' }],
      json: '{"application_id": "…", "notification_stream": true, "notification_days": 14}',
      onStore: async () => (await module()).appsChange,
    },
    mail: {
      summary: "Set how many mails an application may send in a day by the service's own identity",
      words: [{ name: 'NUMBER', summary: '0 to 999999, or default for the number of WAYPOST_MAIL_PER_DAY' }],
      options: { app },
      examples: [{ line: 'waypost apps mail 1000 --app "My application"', what: 'a thousand invitations a day' }],
      json: '{"application_id": "…", "mail_per_day": 1000}',
      onStore: async () => (await module()).appsMail,
    },
  },
}

export const keys: Noun = {
  summary: 'The API keys of an application: shown once, stored hashed',
  list: 'list',
  verbs: {
    list: {
      summary: 'List the API keys of an application',
      more: 'The keys themselves cannot be shown: the store has only their hashes. The hint is how a key begins.',
      options: { app, limit },
      examples: [{ line: 'waypost keys list --app "My application"', what: 'with their states' }],
      json: 'an array of keys, as GET /v3/admin/applications/{id}/api-keys answers them: [{"id": "…", "name": "…", "hint": "wpk_…", "status": "active", …}]',
      onStore: async () => (await module()).keysList,
    },
    create: {
      summary: 'Create an API key; it is shown once',
      more: 'Whoever lost a key makes another one with this, and revokes the lost one.',
      words: [
        { name: 'NAME', summary: 'what the key is called (default: the day, as "Key of 2026-11-16")', optional: true },
      ],
      options: {
        app,
        'expires-in': { value: 'DAYS', summary: 'days until the key is over (default: never)', atLeast: 1 },
      },
      examples: [
        { line: 'waypost keys create', what: 'a key of the sandbox application' },
        { line: 'waypost keys create "Nightly export" --app "My application" --expires-in 90', what: 'for 90 days' },
      ],
      json: '{"id": "…", "application_id": "…", "name": "…", "status": "active", "expires_in": 90, "api_key": "wpk_…", …}',
      onStore: async () => (await module()).keysCreate,
    },
    revoke: {
      summary: 'Revoke an API key, at once',
      words: [{ name: 'KEY_ID', summary: 'the id of the key, as "waypost keys list" shows it' }],
      options: { app },
      examples: [
        { line: 'waypost keys revoke 01939a5e-7cb4-7d3e-8f21-6a1b2c3d4e5f', what: 'requests with it are refused' },
      ],
      json: '{"id": "…", "status": "revoked"}',
      onStore: async () => (await module()).keysRevoke,
    },
  },
}
