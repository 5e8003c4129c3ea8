/**
 * The clients and servers of other projects that the suites run, what these suites verify, and known differences. `npm
 * run generate` writes docs/compatibility.md from this list. compatibility.test.ts compares it with the suites and the
 * installed versions.
 */
import { type Compatible, conformance, journeys, peer } from './compatibility-entry.ts'
import { simulated, witnesses } from './compatibility-simulators.ts'

const clients: Compatible[] = [
  {
    name: 'nylas, the published client for Node',
    version: { npm: ['nylas'] },
    marks: [peer('nylas')],
    suites: [
      ...journeys('nylas-client.test.ts', 'nylas-auth.test.ts', 'nylas-mail.test.ts', 'nylas-sending.test.ts'),
      ...journeys('nylas-calendar.test.ts', 'nylas-webhooks.test.ts', 'nylas-accounts.test.ts', 'nylas-ews.test.ts'),
      ...journeys('nylas-icloud.test.ts', 'nylas-yahoo.test.ts'),
      'server/test/api/http/nylas-forms.test.ts',
    ],
    shows: 'as published, with another address: sign-in, grants, mail, sending, calendars, contacts, webhooks',
    differs: [
      'What notifications call otherwise: [the table](webhooks.md#coming-from-nylas). What a provider does not have is answered 422: [which](generated/providers.md).',
    ],
  },
  {
    name: 'the SDK of Waypost, packed',
    version: { runtimes: true },
    marks: [{ module: 'packages/sdk/test/packed/runtimes.ts' }],
    suites: ['sdk/test/packed.check.ts'],
    shows: 'one program gives the same on each runtime; its types compile with TypeScript 5.9 and newer',
    differs: ['CommonJS can `require` it from Node 22 on: it is made of ES modules.'],
  },
  {
    name: 'standardwebhooks',
    version: { npm: ['standardwebhooks'] },
    marks: [{ module: 'standardwebhooks' }],
    suites: [...journeys('deliveries.test.ts'), 'sdk/test/verify-webhook.test.ts'],
    shows: 'takes the signatures of deliveries, and refuses changed ones',
    differs: [],
  },
]

const mailServers: Compatible[] = [
  {
    name: 'Dovecot',
    version: { debian: 'dovecot-imapd', version: '2.3' },
    marks: [peer('dovecot')],
    suites: [
      ...conformance('imap.test.ts', 'imap-attachments.test.ts', 'imap-marks.test.ts'),
      ...journeys('imap-changes.test.ts', 'imap-notify.test.ts', 'imap-large-mailbox.test.ts'),
      'server/test/providers/imap/sending.test.ts',
      'server/test/providers/mail-tokens.test.ts',
    ],
    shows: 'all that mail has; changes of all folders at once (NOTIFY); sending; logins by password and by token',
    differs: [
      'It has no names of its own for folders (OBJECTID): a renamed one is known by UIDVALIDITY and its messages.',
    ],
  },
  {
    name: 'Dovecot without extensions',
    version: { debian: 'dovecot-imapd', version: '2.3' },
    marks: [{ text: 'modernCapabilities' }],
    suites: conformance('imap-old.check.ts'),
    shows: 'all that mail has, at a server that says IMAP4rev1 and little more, with folders as `INBOX.Sent`',
    differs: [
      'Without IDLE changes are asked for every 15 seconds; without MOVE a message is copied, then removed; without SPECIAL-USE folders are known by their names.',
    ],
  },
  {
    name: 'Cyrus, mail',
    version: { debian: 'cyrus-common', version: '3.6' },
    marks: [peer('cyrus')],
    suites: [
      ...conformance('imap-cyrus.check.ts', 'imap-attachments.test.ts', 'imap-marks.test.ts'),
      ...journeys('imap-changes.test.ts'),
    ],
    shows: 'all that mail has; folders that are known by OBJECTID',
    differs: [
      'Folders whose names hold `%`, `"` or a backslash are refused by the server.',
      'Its list of all folders tells names (MAILBOXID) that are none: each folder is asked by itself.',
    ],
  },
  {
    name: 'Exim',
    version: { debian: 'exim4-daemon-light', version: '4.96' },
    marks: [peer('exim')],
    suites: [
      ...journeys('sending.test.ts', 'bounces.test.ts', 'nylas-sending.test.ts'),
      'server/test/peers/exim.test.ts',
    ],
    shows: 'submission with STARTTLS and TLS; refusals at each step; the bounces that it writes are understood',
    differs: [],
  },
]

const davServers: Compatible[] = [
  {
    name: 'Cyrus, calendars and contacts',
    version: { debian: 'cyrus-common', version: '3.6' },
    marks: [peer('cyrus')],
    suites: [
      ...conformance('imap-dav-cyrus.check.ts'),
      ...journeys('dav-changes.test.ts', 'dav-round-trip.test.ts', 'dav-cards.test.ts'),
      'server/test/providers/dav/caldav-scheduling.test.ts',
      'providers/test/dav/client.test.ts',
    ],
    shows: 'calendars, events, contacts and their changes; invitations by the server itself (RFC 6638)',
    differs: ['It takes no event that is a point in time: such a one is written with a second of length.'],
  },
  {
    name: 'Radicale',
    version: { debian: 'radicale', version: '3.1' },
    marks: [peer('radicale')],
    suites: [
      ...conformance('imap-dav.check.ts'),
      ...journeys('dav-changes.test.ts', 'dav-round-trip.test.ts', 'dav-cards.test.ts', 'caldav-invitations.test.ts'),
      'providers/test/dav/client.test.ts',
      'server/test/providers/dav/caldav-events.test.ts',
    ],
    shows: 'the same at a server that does not schedule: invitations go out by the mail of the account',
    differs: [
      'No calendar is `primary`, and there is no free/busy of others: the server has neither.',
      'It writes cards in a form of its own, and keeps no occurrence without its series.',
      'A recurrence rule that comes to no date hangs the server, for everybody.',
    ],
  },
]

const databases: Compatible[] = [
  {
    name: 'SQLite, in Node',
    version: { node: true },
    marks: [{ text: 'engines' }],
    suites: [
      'store/test/engine/store.test.ts',
      'store/test/migrations/migrations.test.ts',
      ...journeys('events.test.ts'),
    ],
    shows: 'the store, its migrations, and whatever the service keeps itself',
    differs: ['For one node; several need PostgreSQL.'],
  },
  {
    name: 'PostgreSQL',
    version: { debian: 'postgresql-15', version: '15' },
    marks: [{ text: 'engines' }, peer('postgres')],
    suites: [
      'store/test/engine/store.test.ts',
      'store/test/migrations/migrations.test.ts',
      'server/test/store/tables/nodes.check.ts',
      ...journeys('events.test.ts'),
      'server/test/peers/postgres.check.ts',
    ],
    shows: 'the same, and several nodes; durable, as in production (`fsync` and `synchronous_commit` on)',
    differs: ['15 is the oldest that is taken.'],
  },
]

const brokers: Compatible[] = [
  {
    name: 'NATS with JetStream',
    version: { debian: 'nats-server', version: '2.9' },
    marks: [peer('nats')],
    suites: ['server/test/webhooks/transports/nats.test.ts', ...journeys('channels.test.ts')],
    shows: 'notification channels: confirmed publishing, duplicates recognized by id, `.creds` files, TLS, kills',
    differs: [],
  },
  {
    name: 'RabbitMQ',
    version: { debian: 'rabbitmq-server', version: '3.10' },
    marks: [peer('rabbitmq')],
    suites: ['server/test/webhooks/transports/amqp.test.ts', ...journeys('channel-brokers.test.ts')],
    shows: 'notification channels over AMQP 0-9-1: publisher confirms, messages without a queue, TLS, kills',
    differs: ['It does not recognize duplicates: receivers compare the message id.'],
  },
]

const others: Compatible[] = [
  {
    name: 'nginx',
    version: { debian: 'nginx-light', version: '1.22' },
    marks: [{ text: 'async nginx(' }],
    suites: ['server/test/operations-guide.check.ts'],
    shows: 'the settings of [the guide](operations.md), as they stand there',
    differs: ['`http2 on;` is for 1.25 and newer; older ones take `listen 443 ssl http2;`.'],
  },
  {
    name: 'Caddy',
    version: { debian: 'caddy', version: '2.6' },
    marks: [{ text: 'async caddy(' }],
    suites: ['server/test/operations-guide.check.ts'],
    shows: 'the settings of [the guide](operations.md), as they stand there',
    differs: [],
  },
  {
    name: 'Chromium',
    version: { text: 'as new as Debian has it' },
    marks: [peer('browser')],
    suites: [
      ...journeys('hosted-browser.check.ts'),
      'dashboard/test/sweep.check.ts',
      'docs/test/docs.check.ts',
      'server/test/journeys/booking/booking-page.check.ts',
      'server/test/journeys/booking/public-components.check.ts',
    ],
    shows:
      'hosted sign-in, booking pages, the dashboard and the reference, light and dark, and by axe; the published scheduling components',
    differs: [],
  },
]

export interface Group {
  title: string
  about: string
  peers: readonly Compatible[]
}

export const compatibility: readonly Group[] = [
  { title: 'Clients of the API', about: 'Programs that call Waypost.', peers: clients },
  { title: 'Mail servers', about: 'Real servers, which the tests start.', peers: mailServers },
  { title: 'Calendar and contact servers', about: 'Real servers, by CalDAV and CardDAV.', peers: davServers },
  { title: 'Databases', about: 'What Waypost keeps its own data in.', peers: databases },
  { title: 'Message brokers', about: 'What notification channels publish to.', peers: brokers },
  { title: 'Proxies and browsers', about: 'What stands between Waypost and its users.', peers: others },
  {
    title: 'Simulated providers',
    about: 'Services that nobody can run at home; Waypost ships what stands for them (`npm run dev`).',
    peers: simulated,
  },
  {
    title: 'Witnesses of the simulators',
    about: 'Clients that others wrote for the real services, run against the simulators.',
    peers: witnesses,
  },
]
