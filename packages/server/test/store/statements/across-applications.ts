/**
 * The statements that do not name their application, and therefore query every shard of a distributed store. Each has
 * the bound of its work, the reason, and what takes its place there if it would not work or be too slow. Any other such
 * statement on a tenant's table fails the test.
 */
interface Crossing {
  /** What it reads or writes in each shard, and how often it runs. */
  bound: string
  why: string
  /** It reads a growing table completely, which the planner confirms. */
  walks?: true
  /** The statements that replace it in a distributed store. */
  onCitus?: readonly string[]
}

/** The caller presents a secret, and the lookup returns its owner. */
const lookUp = (why: string): Crossing => ({
  bound: 'one look at a unique index in each shard, for one row at most',
  why,
})
/** The same for several concurrent callers. */
const lookUps = (why: string): Crossing => ({
  bound: 'a look at a unique index for each of 64 at most, in each shard',
  why,
})
/** The same, joined with a grant. On Citus, the coordinator has the key, which names the one shard with the grant. */
const withGrant = (crossing: Crossing): Crossing => ({ ...crossing, onCitus: ['api_keys.holder', 'grants.byId'] })
const request = 'at a request with it'
const hash = `a hash of 256 random bits finds out whose it is, ${request}`
const session = 'the cookie or the state of a sign-in names it, before its application is known'
/** Removes old rows; each shard can do it alone. */
const housekeeping = (
  bound = 'rows that are old enough, by an index of their age, once in some minutes by one node',
): Crossing => ({
  bound,
  why: 'housekeeping by age',
})
const piece = 'a thousand rows at a time, by an index of their age'
/** For the operator. */
const figure = (bound: string): Crossing => ({ bound, why: 'a figure for the operator; sums of shards can be added' })
const queue = (bound: string, each: string): Crossing => ({
  bound,
  why: `the queue of the whole installation; ${each} in the name of its application`,
})
const nextTime: Crossing = {
  bound: 'the first entry of an index of the time',
  why: 'when something is to be done next, whosever it is: a time, and nothing else',
}
const rotation: Crossing = {
  bound: '500 rows at a time in the order of the primary key, only while the key of the installation is changed',
  why: 'key rotation reads every application',
}
const notes: Crossing = {
  bound: '128 rows at a time, each found by the primary key of its grant; a few statements in five seconds and node',
  why: 'notes about many grants are written together; each row takes its application from its grant',
}
const onlyNode: Crossing = {
  bound: 'once, at the start of the only server of a SQLite file',
  why: 'takes up what a dead process left; SQLite has no shards',
}

const onShards = 'one look at each active destination, by indexes'

export const acrossApplications: Record<string, Crossing> = {
  'access_tokens.byHash': lookUp(hash),
  'access_tokens.holder': lookUp(hash),
  'access_tokens.holderBatch': lookUps(hash),
  'access_tokens.purge': {
    bound: 'the tokens that expired or were revoked since the last time; once a minute by one node',
    why: 'housekeeping by age',
  },
  'agent_codes.byHash': lookUp(hash),
  'agent_codes.purge': housekeeping(),
  'agent_tokens.byHash': lookUp(hash),
  'agent_tokens.purge': housekeeping(),
  'agents.purge': housekeeping(),
  'api_keys.holder': lookUp(hash),
  'api_keys.holderBatch': lookUps(hash),
  'api_keys.restrictedHolder': lookUp(hash),
  'api_keys.holderAndDocument': withGrant(lookUp(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndDocumentBatch': withGrant(lookUps(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndDocumentByEmail': withGrant(lookUp(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndDocumentByEmailBatch': withGrant(lookUps(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndDocumentByExternal': withGrant(lookUp(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndDocumentByExternalBatch': withGrant(
    lookUps(`${hash}; the grant is joined in the same application`),
  ),
  'api_keys.holderAndGrant': withGrant(lookUp(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndGrantBatch': withGrant(lookUps(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndGrantByEmail': withGrant(lookUp(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndGrantByEmailBatch': withGrant(lookUps(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndGrantByExternal': withGrant(lookUp(`${hash}; the grant is joined in the same application`)),
  'api_keys.holderAndGrantByExternalBatch': withGrant(lookUps(`${hash}; the grant is joined in the same application`)),
  'api_keys.anyOfCreator': {
    bound: 'one entry of an index; when an owner looks at the keys of a person',
    why: 'a person creates keys of several applications',
  },
  'api_keys.ofCreator': {
    bound: 'the keys that one person created, by an index; when an owner looks at, changes or removes the person',
    why: 'a person creates keys of several applications',
  },
  'application_counts.changed': queue('the applications whose counts changed, by an index', 'each is added up'),
  'application_counts.readAll': figure('the changes of counts that housekeeping has not added up yet, by an index'),
  'application_figures.purge': housekeeping(),
  'application_names.having': {
    bound: 'a thousand entries of an index at most',
    why: 'administrators look for applications, whichever they are',
  },
  'authorization_codes.byHash': lookUp(hash),
  'authorization_codes.purge': housekeeping(),
  'approvals.old': housekeeping('100 rows at a time, by an index of their last change'),
  'approvals.pending': figure('the entries of an index of open approvals, a hundred thousand at most'),
  'bookings.ended': housekeeping('500 rows at a time, by an index of their end'),
  'authorization_codes.sealed_account.list': rotation,
  'calendars.removedForgotten': housekeeping('a hundred rows at a time, by an index of what is being removed'),
  'connectors.sealed_settings.list': rotation,
  'contact_pictures.byKey': lookUp('an address that nobody can guess names one picture'),
  'credential_requests.purge': housekeeping(piece),
  'credentials.sealed_data.list': rotation,
  'deliveries.holdersOnShards': housekeeping('the deliveries of days that are to be removed, once a day'),
  'deliveries.oldestWaitingOnShards': figure(onShards),
  'deliveries.holders': {
    ...housekeeping('one look at each application for which something waits or failed, once a day'),
    onCitus: ['deliveries.holdersOnShards'],
  },
  'deliveries.oldestWaiting': {
    ...figure('one row of each destination that is to be served now, by indexes'),
    onCitus: ['deliveries.oldestWaitingOnShards'],
  },
  'deliveries.waiting': figure('a hundred thousand entries of an index at most'),
  'events.ofDeletedGrants': figure('a hundred thousand entries of an index at most, of deleted accounts only'),
  'events.ofRemovedCalendars': figure('a hundred thousand entries of an index, of deleted calendars only'),
  'failed_jobs.applications': {
    bound: 'all failed jobs, at a command of the operator; there are few',
    why: 'a command retries or discards the jobs of all applications',
  },
  'failed_jobs.byKind': figure('ten thousand rows at most'),
  'failed_jobs.expired': housekeeping('a hundred rows at a time, by an index of their age'),
  'failed_jobs.find': lookUp('a command of the operator names the job, and finds out whose it is'),
  'grant_calls.add': notes,
  'grant_calls.purge': housekeeping(piece),
  'grant_errors.add': notes,
  'grant_errors.trim': notes,
  'grant_events.purge': housekeeping(piece),
  'grant_uses.save': notes,
  'grants.tombstonesForgotten': queue('a hundred rows, by an index of the time', 'each goes on being removed'),
  'grants.listWatched': {
    bound:
      'the grants of one of 64 parts of the shards that a node has, when a look at their count says that they changed',
    why: 'a node lists the grants of its shards; each is then watched in the name of its application',
  },
  'grants.ofPerson': {
    bound: 'the grants of one address, by an index; when a grant is removed or revoked',
    why: 'a consent at a provider is shared by the applications that share its client',
  },
  'grants.sealed_credentials.list': rotation,
  'grants.tallyWatched': {
    bound: 'the entries of an index for the shards that a node has',
    why: 'a node counts the grants of its shards',
  },
  'grants.toPurge': queue('a hundred rows, by an index of the time', 'each grant is removed'),
  'grants.watchedOfAddress': {
    bound: 'the grants of one address, by an index; for a push of a provider that names an address',
    why: 'what a provider tells of an address concerns every application that has it; it only makes us look',
  },
  'idempotency_keys.abandon': { ...onlyNode, walks: true },
  'idempotency_keys.purge': housekeeping(),
  'idempotency_keys.sealed_body.list': rotation,
  'invitations.ofUid': {
    bound: 'twenty rows, by an index; for an answer that came by mail',
    why: 'it names its event by the UID; each event is then read in the name of its application',
  },
  'delivery_leases.abandon': onlyNode,
  'delivery_leases.due': {
    ...queue('one row of each destination that is to be served now, by indexes', 'each lease is taken'),
    onCitus: ['delivery_leases.dueOnShards'],
  },
  'delivery_leases.dueOnShards': queue(onShards, 'each lease is taken'),
  'delivery_leases.nextToJudge': nextTime,
  'delivery_leases.nextToRetry': nextTime,
  'delivery_leases.renew': {
    bound: 'the leases of one node, once in a third of their length',
    why: 'a node renews what it has; each lease was taken in the name of its application',
  },
  'delivery_leases.releaseOwned': {
    bound: 'the leases of one node, when its process is dead',
    why: 'others take what a dead node had; each lease is then taken in the name of its application',
  },
  'delivery_leases.toJudge': queue('a hundred rows, by an index of the time', 'each state is judged'),
  'login_sessions.byState': lookUp(session),
  'login_sessions.get': lookUp(`${session}; nothing but the branding of the application is shown`),
  'login_sessions.open': lookUp(session),
  'login_sessions.purge': housekeeping(),
  'login_sessions.sealed_verifier.list': rotation,
  'notifications.holders': {
    ...housekeeping('two looks at each application that has notifications, 200 at a time, once a day'),
    onCitus: ['notifications.holdersOnShards'],
  },
  'notifications.holdersOnShards': housekeeping('the notifications of days that are to be removed, once a day'),
  'nudges.waiting': {
    bound: 'the pushes that came since for the shards of one node, by an index',
    why: 'a node finds what others were told; each is then taken in the name of its application',
  },
  'nudges.take': {
    bound: 'the pushes that came since for the shards of one node, by an index',
    why: 'a node takes what others were told of the grants that it watches',
    onCitus: ['nudges.waiting', 'nudges.takeOne'],
  },
  'origins.has': lookUp('a preflight request carries no key; it says only that some application knows the origin'),
  'outbox.claim': {
    ...queue('as many rows as a node takes at a time, by an index of the time', 'each job acts'),
    onCitus: ['outbox.due', 'outbox.claimThese'],
  },
  'outbox.due': queue('as many rows as a node takes at a time, by an index of the time', 'each is claimed'),
  'outbox.depth': figure('a hundred thousand entries of an index at most'),
  'outbox.dueByKind': figure('ten thousand entries of an index at most'),
  'outbox.hasten': onlyNode,
  'outbox.next': nextTime,
  'provider_tokens.sealed_tokens.list': rotation,
  'scheduler_configurations.byId': lookUp('a guest names a booking page by its random id, and no application'),
  'scheduler_configurations.unneeded': housekeeping('a hundred rows at a time, by an index of what was deleted'),
  'scheduler_sessions.purge': housekeeping(),
  'send_reports.purge': housekeeping(piece),
  'send_sources.sealed_source.list': rotation,
  'sends.due': queue('as many rows as a node takes at a time, by an index of the time', 'each message is claimed'),
  'sends.dueNow': figure('ten thousand entries of an index at most'),
  'sends.next': nextTime,
  'sends.purge': housekeeping(piece),
  'sends.waiting': figure('a hundred thousand entries of an index of what waits'),
  'tracked_links.click': lookUp('a signed token names the link, and finds out whose it is'),
  'tracked_messages.bySend': lookUp('a signed token names the message, and finds out whose it is'),
  'tracked_messages.open': lookUp('a signed token names the message, and finds out whose it is'),
  'tracked_messages.purge': housekeeping(piece),
  'uploads.arriving': housekeeping('the uploads that began within a day and did not arrive'),
  'uploads.due': housekeeping('twenty rows at a time, by an index of their expiry'),
  'uploads.purge': housekeeping(piece),
  'watch_failures.forget': notes,
  'watch_failures.save': notes,
  'webhooks.anyChannel': {
    bound: 'one entry of an index; at the start of a node, and when a channel is deleted',
    why: 'while any application has a channel, nodes that do not know channels must not start',
  },
  'webhooks.sealed_previous_secret.list': rotation,
  'webhooks.sealed_secret.list': rotation,
  'webhooks.tally': figure(
    'a hundred thousand entries of an index of states for each of them, at most every two seconds',
  ),
}
