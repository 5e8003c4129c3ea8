/** `waypost webhooks …`. */
import type { Noun, Word } from '../program/command.ts'
import { app, end, limit, notification, start } from './options.ts'

const module = () => import('../webhooks.ts')
const destination: Word = {
  name: 'WEBHOOK_ID',
  summary: 'id of the destination from "waypost webhooks list"',
}

export const webhooks: Noun = {
  summary: 'Webhooks and channels: delivery log, replay, pause',
  list: 'list',
  verbs: {
    list: {
      summary: 'List the destinations of an application, webhooks and channels, with their status',
      options: { app, limit },
      examples: { 'waypost webhooks list --app "My application"': 'with their status and triggers' },
      json: 'an array of destinations, as returned by GET /v3/webhooks and GET /v3/channels/…, each with its transport: [{"transport": "webhook", "id": "…", "status": "active", "webhook_url": "…", "trigger_types": ["…"], …}]',
      onStore: async () => (await module()).webhooksList,
    },
    attempts: {
      summary: 'Show the delivery log of a destination: every attempt with its response, newest first',
      words: [destination],
      options: {
        app,
        notification,
        outcome: { value: 'OUTCOME', summary: 'only this outcome', choices: ['delivered', 'failed'] },
        start,
        end,
        limit,
      },
      examples: { 'waypost webhooks attempts WEBHOOK_ID --outcome failed': 'failed attempts with the reason' },
      json: 'an array of attempts, as returned by GET /v3/webhooks/{id}/attempts: [{"notification_id": "…", "outcome": "failed", "status": 503, "latency_ms": 12, …}]',
      onStore: async () => (await module()).webhooksAttempts,
    },
    deliveries: {
      summary: 'List waiting and permanently failed notifications of a destination',
      words: [destination],
      options: {
        app,
        state: { value: 'STATE', summary: 'only this state', choices: ['waiting', 'failed'] },
        limit,
      },
      examples: { 'waypost webhooks deliveries WEBHOOK_ID --state waiting': 'with the time of the next attempt' },
      json: 'an array of deliveries, as returned by GET /v3/webhooks/{id}/deliveries: [{"notification_id": "…", "state": "waiting", "attempts": 2, "next_attempt_at": 1798790400, …}]',
      onStore: async () => (await module()).webhooksDeliveries,
    },
    replay: {
      summary:
        'Deliver again: one notification, those of a time range, or all failed ones; a running server sends them immediately',
      more: 'Use one of --notification, --start (with --end) or --failed.',
      words: [destination],
      options: { notification, start, end, failed: { summary: 'all permanently failed notifications' }, app },
      examples: {
        'waypost webhooks replay WEBHOOK_ID --failed': 'after the receiver was repaired',
        'waypost webhooks replay WEBHOOK_ID --start 2026-11-15T06:00:00Z': 'everything since then',
      },
      json: '{"id": "…", "replayed": 12}',
      onStore: async () => (await module()).webhooksReplay,
    },
    'deliver-now': {
      summary:
        'Deliver waiting notifications now, after the receiver was repaired; a running server sends them immediately',
      words: [destination],
      options: { app },
      examples: { 'waypost webhooks deliver-now WEBHOOK_ID': 'run it again while it reports more' },
      json: '{"id": "…", "due": 12, "more": false}',
      onStore: async () => (await module()).webhooksDeliverNow,
    },
    pause: {
      summary: 'Pause a destination; waiting notifications are kept, new changes are not queued',
      words: [destination],
      options: { app },
      examples: { 'waypost webhooks pause WEBHOOK_ID': 'until it is activated' },
      json: '{"id": "…", "webhook_url": "…", "status": "pause"}, with "address" instead of "webhook_url" for a channel',
      onStore: async () => (await module()).webhooksPause,
    },
    activate: {
      summary: 'Activate a destination after its receiver responded to the challenge, or its broker was verified',
      words: [destination],
      options: { app },
      examples: { 'waypost webhooks activate WEBHOOK_ID': 'the receiver or broker must be running' },
      json: '{"id": "…", "webhook_url": "…", "status": "active"}, with "address" instead of "webhook_url" for a channel',
      onStore: async () => (await module()).webhooksActivate,
    },
  },
}
