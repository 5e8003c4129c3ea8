/** Removed endpoints of the previous API version and their replacements. */
export const removed: readonly { paths: readonly string[]; instead: string }[] = [
  {
    paths: ['/calendars/availability/consecutive', '/v3/calendars/availability/consecutive'],
    instead: 'POST /v3/calendars/availability, one call for each meeting',
  },
  {
    paths: ['/events/to-ics', '/v3/events/to-ics', '/v3/grants/:grant_id/events/to-ics'],
    instead: 'GET /v3/grants/<grant_id>/events/<event_id>, whose fields make an iCalendar file',
  },
  {
    paths: ['/delta', '/delta/*', '/v3/delta', '/v3/delta/*'],
    instead: 'webhooks (POST /v3/webhooks) with the *.created, *.updated and *.deleted triggers',
  },
  { paths: ['/a/:client_id/ip_addresses', '/v3/a/:client_id/ip_addresses'], instead: 'GET /v3/webhooks/ip-addresses' },
  { paths: ['/a', '/a/*'], instead: 'GET /v3/grants and GET /v3/applications' },
  { paths: ['/connect/authorize', '/connect/token'], instead: 'POST /v3/connect/custom' },
  { paths: ['/account'], instead: 'GET /v3/grants/<grant_id>' },
  { paths: ['/calendars', '/calendars/*'], instead: '/v3/grants/<grant_id>/calendars' },
  { paths: ['/events', '/events/*'], instead: '/v3/grants/<grant_id>/events' },
  { paths: ['/messages', '/messages/*'], instead: '/v3/grants/<grant_id>/messages' },
  { paths: ['/threads', '/threads/*'], instead: '/v3/grants/<grant_id>/threads' },
  { paths: ['/drafts', '/drafts/*'], instead: '/v3/grants/<grant_id>/drafts' },
  { paths: ['/folders', '/folders/*', '/labels', '/labels/*'], instead: '/v3/grants/<grant_id>/folders' },
  { paths: ['/contacts', '/contacts/*'], instead: '/v3/grants/<grant_id>/contacts' },
  { paths: ['/files', '/files/*'], instead: '/v3/grants/<grant_id>/attachments/<attachment_id>' },
  { paths: ['/send'], instead: 'POST /v3/grants/<grant_id>/messages/send' },
]

/** Removed triggers of the previous API version and their replacements. */
export const removedTriggers: Record<string, string> = {
  'account.connected': 'use grant.created',
  'account.running': 'a grant is usable as soon as it exists: use grant.created',
  'account.stopped': 'use grant.deleted and grant.expired',
  'account.invalid': 'use grant.expired and grant.deleted',
  'account.sync_error': 'use grant.expired',
  'contact.created': 'use contact.updated, which also fires on creation',
  'job.successful': 'requests are synchronous',
  'job.failed': 'requests are synchronous',
}
