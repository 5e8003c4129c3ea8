/**
 * Parts of the public API that this service does not have yet. Their paths get a specific error instead of "not
 * found".
 */
export interface Unavailable {
  /** Name of the resource in the public API. */
  readonly resource: string
  /** A path includes everything below it; a segment with a colon matches anything. */
  readonly paths: readonly string[]
  /** A partial alternative. */
  readonly meanwhile?: string
}

const grant = '/v3/grants/:grant_id'

export const unavailable: readonly Unavailable[] = [
  { resource: 'notetakers', paths: ['/v3/notetakers', `${grant}/notetakers`] },
  {
    resource: 'smart-compose',
    paths: [`${grant}/messages/smart-compose`, `${grant}/messages/:message_id/smart-compose`],
  },
  { resource: 'rules', paths: ['/v3/rules', `${grant}/rules`] },
  { resource: 'rule-evaluations', paths: [`${grant}/rule-evaluations`] },
  { resource: 'policies', paths: ['/v3/policies'] },
  { resource: 'lists', paths: ['/v3/lists'] },
  {
    resource: 'domains',
    paths: ['/v3/domains', '/v3/admin/domains'],
    meanwhile: `POST ${grant.replace(':grant_id', '<grant_id>')}/messages/send`,
  },
  {
    resource: 'resources',
    paths: ['/resources', '/v3/resources'],
    meanwhile: 'GET /v3/grants/<grant_id>/resources, for the rooms of one account',
  },
  { resource: 'consolidated-order', paths: [`${grant}/consolidated-order`] },
  { resource: 'consolidated-shipment', paths: [`${grant}/consolidated-shipment`] },
  { resource: 'consolidated-return', paths: [`${grant}/consolidated-return`] },
  { resource: 'migration-tools', paths: ['/v3/migration-tools'], meanwhile: 'the command waypost import-v2' },
]

/** Triggers that are not supported yet, by feature. */
export const laterTriggers: Readonly<Record<string, readonly string[]>> = {
  notetakers: [
    'notetaker.created',
    'notetaker.updated',
    'notetaker.deleted',
    'notetaker.meeting_state',
    'notetaker.media',
  ],
  'mail sent by a domain': [
    'message.bounced',
    'message.complaint',
    'message.delivered',
    'message.rejected',
    'message.transactional.bounced',
    'message.transactional.complaint',
    'message.transactional.delivered',
    'message.transactional.rejected',
  ],
  'extraction from mail': [
    'message.intelligence.order',
    'message.intelligence.tracking',
    'message.intelligence.return',
    'message.intelligence.travel',
  ],
  'tracking of the previous version': ['message.opened.legacy', 'message.link_clicked.legacy', 'thread.replied.legacy'],
}
