/** `waypost webhooks …`. */
import type { Noun, Word } from '../program/command.ts'
import { app, end, limit, notification, start } from './options.ts'

const module = () => import('../webhooks.ts')
const destination: Word = {
  name: 'WEBHOOK_ID',
  summary: 'the id of the destination, as "waypost webhooks list" shows it',
}

export const webhooks: Noun = {
  summary: 'The webhook destinations: their log, delivering again, pausing',
  list: 'list',
  verbs: {
    list: {
      summary: 'List the webhook destinations of an application, and how they fare',
      options: { app, limit },
      examples: [{ line: 'waypost webhooks list --app "My application"', what: 'with their states and triggers' }],
      json: 'an array of destinations, as GET /v3/webhooks answers them: [{"id": "…", "status": "active", "webhook_url": "…", "trigger_types": ["…"], …}]',
      onStore: async () => (await module()).webhooksList,
    },
    attempts: {
      summary: 'Show the log of a destination: every attempt with its answer, newest first',
      words: [destination],
      options: {
        app,
        notification,
        outcome: { value: 'OUTCOME', summary: 'these alone', choices: ['delivered', 'failed'] },
        start,
        end,
        limit,
      },
      examples: [
        { line: 'waypost webhooks attempts WEBHOOK_ID --outcome failed', what: 'what was not taken, and why' },
      ],
      json: 'an array of attempts, as GET /v3/webhooks/{id}/attempts answers them: [{"notification_id": "…", "outcome": "failed", "status": 503, "latency_ms": 12, …}]',
      onStore: async () => (await module()).webhooksAttempts,
    },
    deliveries: {
      summary: 'List what waits for a destination, and what failed for good',
      words: [destination],
      options: {
        app,
        state: { value: 'STATE', summary: 'these alone', choices: ['waiting', 'failed'] },
        limit,
      },
      examples: [
        { line: 'waypost webhooks deliveries WEBHOOK_ID --state waiting', what: 'and when each is tried next' },
      ],
      json: 'an array of deliveries, as GET /v3/webhooks/{id}/deliveries answers them: [{"notification_id": "…", "state": "waiting", "attempts": 2, "next_attempt_at": 1798790400, …}]',
      onStore: async () => (await module()).webhooksDeliveries,
    },
    replay: {
      summary:
        'Deliver again: one notification, those of a time, or all that failed; a running server sends them at once',
      more: 'Say what: one of --notification, --start (with --end) or --failed.',
      words: [destination],
      options: { notification, start, end, failed: { summary: 'all that failed for good' }, app },
      examples: [
        { line: 'waypost webhooks replay WEBHOOK_ID --failed', what: 'after the listener was mended' },
        { line: 'waypost webhooks replay WEBHOOK_ID --start 2026-11-15T06:00:00Z', what: 'everything since then' },
      ],
      json: '{"id": "…", "replayed": 12}',
      onStore: async () => (await module()).webhooksReplay,
    },
    'deliver-now': {
      summary:
        'Deliver what waits for a later try now, because the listener was mended; a running server sends it at once',
      words: [destination],
      options: { app },
      examples: [
        { line: 'waypost webhooks deliver-now WEBHOOK_ID', what: 'run it again while it says that there is more' },
      ],
      json: '{"id": "…", "due": 12, "more": false}',
      onStore: async () => (await module()).webhooksDeliverNow,
    },
    pause: {
      summary: 'Send nothing more to a destination; what waits for it is kept, what happens meanwhile is not queued',
      words: [destination],
      options: { app },
      examples: [{ line: 'waypost webhooks pause WEBHOOK_ID', what: 'until it is activated' }],
      json: '{"id": "…", "webhook_url": "…", "status": "pause"}',
      onStore: async () => (await module()).webhooksPause,
    },
    activate: {
      summary: 'Send to a destination again, once its listener has answered the challenge, which is sent from here',
      words: [destination],
      options: { app },
      examples: [{ line: 'waypost webhooks activate WEBHOOK_ID', what: 'the listener must be running' }],
      json: '{"id": "…", "webhook_url": "…", "status": "active"}',
      onStore: async () => (await module()).webhooksActivate,
    },
  },
}
