/** Changes of mail at Google, Microsoft and Exchange. */
import { bounceMime } from '../../../simulators/src/shared/mail/bounce.ts'
import * as google from '../peers/google.ts'
import * as microsoft from '../peers/microsoft.ts'
import { ewsSubject, openExchangeMail } from './ews-subject.ts'
import { googleSubject, openGoogleMail } from './google-subject.ts'
import { describeMailChanges } from './mail-changes.ts'
import { microsoftSubject, openMicrosoftMail } from './microsoft-subject.ts'
import { newMessageId } from './mime-messages.ts'

const watching = { env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } }

describeMailChanges({
  subject: googleSubject,
  open: () => openGoogleMail(watching),
  scopes: [...google.identity, 'https://mail.google.com/'],
  forgetting: { 'the history expired': (simulator, email) => simulator.account(email).mail.forgetHistory() },
  many: 230,
  throttle: (simulator) =>
    simulator.fail({ path: /\/history/, times: 2 }, { status: 429, reason: 'rateLimitExceeded', retryAfter: 1 }),
  lose: (simulator) => simulator.fail({ path: /messages\/send$/ }, { drop: 'after' }),
  senders: { 'another Message-ID': {} },
  bounce: (account, messageId) =>
    account.deliver(
      Buffer.from(
        bounceMime({
          from: { name: 'Mail Delivery Subsystem', address: 'mailer-daemon@googlemail.com' },
          to: account.email,
          server: 'googlemail.com',
          messageId: `<${newMessageId()}>`,
          at: Date.now(),
          failed: { subject: 'Tracked', internetMessageId: `<${messageId}>`, address: 'nobody@people.test' },
        }),
      ),
      { date: Date.now() / 1000 },
    ),
})

describeMailChanges({
  subject: microsoftSubject,
  open: () => openMicrosoftMail(watching),
  scopes: [...microsoft.identity, 'Mail.ReadWrite', 'Mail.Send'],
  forgetting: {
    SyncStateNotFound: (simulator, email) => simulator.account(email).mail.forgetChanges('SyncStateNotFound'),
    resyncRequired: (simulator, email) => simulator.account(email).mail.forgetChanges('resyncRequired'),
  },
  many: 130,
  tellsUnknown: true,
  throttle: (simulator) =>
    simulator.fail(
      { path: /\/mailFolders\/delta/, times: 2 },
      { status: 429, code: 'ApplicationThrottled', retryAfter: 1 },
    ),
  lose: (simulator) => simulator.fail({ path: /sendMail$/ }, { drop: 'after' }),
  senders: { 'keeping the Message-ID': {}, 'another Message-ID': { renamesSent: true } },
})

/** Options of the simulated Exchange that a test changes. */
const oddities: { renamesSent?: boolean } = {}
// Regular polls run every ten minutes here: an earlier notification comes from the stream.
describeMailChanges({
  subject: ewsSubject,
  open: () =>
    openExchangeMail({
      env: { WAYPOST_POLL_SECONDS: '600' },
      overrides: { serving: true },
      provider: { streaming: { minuteMs: 100 }, oddities },
    }),
  scopes: ['ews.messages'],
  forgetting: {
    'the sync state is lost': (simulator) => {
      simulator.expireSyncStates()
      simulator.dropStreams()
    },
  },
  many: 60,
  throttle: (simulator) =>
    simulator.fail(
      { operation: /Sync|Find|GetItem/, times: 2 },
      { status: 500, code: 'ErrorServerBusy', backOffMilliseconds: 200 },
    ),
  lose(simulator) {
    oddities.renamesSent = true
    simulator.fail({ operation: 'CreateItem' }, { drop: 'after' })
  },
  senders: { 'keeping the Message-ID': {} },
})
