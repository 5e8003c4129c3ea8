/** The entries of compatibility.ts about simulators, and about the clients that verify them. */
import { type Compatible, conformance, journeys, peer, simulators } from './compatibility-entry.ts'

/** Clients of other projects that verify the simulators. */
export const witnesses: Compatible[] = [
  {
    name: "Google's own clients",
    version: { npm: ['@googleapis/gmail', '@googleapis/calendar', '@googleapis/people'] },
    marks: [{ module: '@googleapis/gmail' }, { module: '@googleapis/calendar' }],
    suites: simulators('gmail-messages.test.ts', 'calendar-events.test.ts', 'calendar-sync.test.ts', 'people.test.ts'),
    shows: 'mail, calendars with sync tokens, and contacts of the simulated Google',
    differs: [],
  },
  {
    name: "Microsoft's client of Graph",
    version: { npm: ['@microsoft/microsoft-graph-client'] },
    marks: [{ module: '@microsoft/microsoft-graph-client' }],
    suites: simulators('graph-mail.test.ts'),
    shows: 'uploads large attachments to the simulated Microsoft, in parts',
    differs: [],
  },
  {
    name: "Google's client of Pub/Sub",
    version: { npm: ['@google-cloud/pubsub'] },
    marks: [{ module: '@google-cloud/pubsub' }],
    suites: simulators('pubsub.test.ts'),
    shows: 'creates topics and publishes to the simulated Pub/Sub',
    differs: [],
  },
  {
    name: "Amazon's client of SNS",
    version: { npm: ['@aws-sdk/client-sns'] },
    marks: [{ module: '@aws-sdk/client-sns' }],
    suites: simulators('sns.test.ts'),
    shows: 'publishes to the simulated SNS, which verifies its signatures',
    differs: [],
  },
  {
    name: 'exchangelib',
    version: { debian: 'python3-exchangelib', version: '4.9' },
    marks: [{ text: "needsProgram(context, 'exchangelib')" }],
    suites: simulators('ews-clients.test.ts', 'ews-mail-clients.test.ts', 'ews-calendar-clients.test.ts'),
    shows: 'signs in to the simulated Exchange, and uses its mail and calendars',
    differs: [],
  },
  {
    name: 'ews-javascript-api',
    version: { npm: ['ews-javascript-api'] },
    marks: [{ module: 'ews-javascript-api' }],
    suites: simulators('ews-clients.test.ts', 'ews-mail-clients.test.ts', 'ews-calendar-clients.test.ts'),
    shows: 'the same',
    differs: [],
  },
  {
    name: 'curl',
    version: { debian: 'curl', version: '7' },
    marks: [{ text: "'curl'" }],
    suites: simulators('ews-auth.test.ts'),
    shows: 'signs in to the simulated Exchange by NTLM',
    differs: [],
  },
]

const unlike = 'Not simulated: [the list](../packages/simulators/README.md).'

export const simulated: Compatible[] = [
  {
    name: 'Google',
    version: { text: 'Gmail v1, Calendar v3, People v1' },
    marks: [peer('google')],
    suites: [...conformance('google.test.ts'), ...journeys('google-changes.test.ts')],
    shows:
      "mail, calendars and contacts; every exchange is held against Google's discovery documents where they are at hand",
    differs: [unlike],
  },
  {
    name: 'Microsoft',
    version: { text: 'Graph v1.0' },
    marks: [peer('microsoft')],
    suites: [...conformance('microsoft.test.ts'), ...journeys('microsoft-sign-in.test.ts', 'microsoft-pushes.test.ts')],
    shows: "mail, calendars and contacts; every exchange is held against Microsoft's published types",
    differs: [`No tenant of Microsoft was at hand. ${unlike}`],
  },
  {
    name: 'Exchange',
    version: { text: 'EWS of 2007 to 2019' },
    marks: [peer('exchange')],
    suites: [...conformance('ews.test.ts'), ...journeys('ews-changes.test.ts', 'ews-grants.test.ts')],
    shows: 'mail, calendars, contacts; Basic and NTLM; every answer is held against the published schema',
    differs: [unlike],
  },
  {
    name: 'Yahoo',
    version: { text: 'OAuth 2.0; mail at a Dovecot' },
    marks: [peer('yahoo')],
    suites: [...conformance('yahoo.check.ts'), ...journeys('yahoo.test.ts', 'yahoo-dav.test.ts')],
    shows: 'sign-in with tokens that rotate; mail and contacts behind it',
    differs: ["Yahoo's own IMAP servers differ in ways that [others have told](yahoo.md#what-differs)."],
  },
  {
    name: 'Zoom',
    version: { text: 'OAuth 2.0 and REST API v2' },
    marks: [peer('zoom')],
    suites: journeys('zoom.test.ts'),
    shows: 'sign-in with tokens that work once, meetings',
    differs: [unlike],
  },
  {
    name: 'Google Pub/Sub',
    version: { text: 'REST API v1' },
    marks: [{ module: 'packages/server/test/webhooks/transports/cloud-setup.ts' }],
    suites: ['server/test/webhooks/transports/pubsub.test.ts'],
    shows: 'notification channels: ordering keys, roles, revoked keys, throttling',
    differs: [unlike],
  },
  {
    name: 'Amazon SNS',
    version: { text: '2010-03-31' },
    marks: [{ module: 'packages/server/test/webhooks/transports/cloud-setup.ts' }],
    suites: ['server/test/webhooks/transports/sns.test.ts'],
    shows: 'notification channels: signed requests, roles, batches, FIFO topics, throttling',
    differs: [unlike],
  },
  {
    name: 'iCloud',
    version: { text: 'a Cyrus behind a proxy that does as Apple does' },
    marks: [peer('icloud'), peer('icloud-mail')],
    suites: [...conformance('icloud.check.ts'), ...journeys('icloud-grants.test.ts')],
    shows: 'app-specific passwords, mail, calendars and contacts',
    differs: ['No account of Apple was at hand: [what differs](icloud.md).'],
  },
]
