/**
 * Exceptions of the OpenAPI document from rules of linters, with their reasons. Each finding must occur at its place,
 * and nowhere else.
 */
export interface Exception {
  readonly rule: string
  /** The affected paths of the API; none for the document as a whole. */
  readonly paths: readonly string[]
  readonly why: string
}

const otherSpelling =
  'Published clients ask for both forms. A destination is never named `rotate-secret`, so that one route answers.'
const probes = 'A probe takes nothing that could be wrong: neither credential, nor parameter, nor body.'

export const redoclyExceptions: readonly Exception[] = [
  {
    rule: 'no-ambiguous-paths',
    paths: [
      '/v3/webhooks/{id}/rotate-secret',
      '/v3/webhooks/{id}/health',
      '/v3/webhooks/{id}/deliveries',
      '/v3/webhooks/{id}/attempts',
      '/v3/webhooks/{id}/backlog',
      '/v3/webhooks/{id}/verify-signature',
      '/v3/webhooks/{id}/replay',
      '/v3/webhooks/{id}/deliver-now',
    ],
    why: otherSpelling,
  },
  {
    rule: 'no-ambiguous-paths',
    paths: ['/v3/grants/{grant_id}/messages/{message_id}/attachments'],
    why: 'No message has the id `schedules`, so that one route answers.',
  },
  {
    rule: 'operation-2xx-response',
    paths: ['/v3/connect/auth'],
    why: 'A browser is always led on: to a sign-in page, or back to the application.',
  },
  { rule: 'operation-4xx-response', paths: ['/health', '/ready'], why: probes },
]

export const spectralExceptions: readonly Exception[] = [
  {
    rule: 'info-contact',
    paths: [],
    why: 'Whom to ask is whoever runs the service; the program does not know them.',
  },
]
