/** IMAP accounts on a Dovecot with few capabilities, and on one that allows one connection. */
import { modernCapabilities, startDovecot } from '@waypost/testing/peers/dovecot'
import { describeProvider } from './describe-provider.ts'
import { imapSubject } from './imap-subject.ts'

const old = { separator: '.', prefix: 'INBOX.' } as const
await describeProvider(() => ({
  adapter: 'imap',
  only: ['mail'],
  mail: {
    ...imapSubject('an old dovecot', () => startDovecot({ ...old, without: modernCapabilities }), old),
    differs: ['folder names', 'moving', 'searching', 'noticing changes'],
  },
}))

const start = () => startDovecot({ connectionsPerUser: 1 })
await describeProvider(() => ({
  adapter: 'imap',
  only: ['mail'],
  mail: {
    ...imapSubject('a dovecot that allows one connection', start, { separator: '/', prefix: '' }),
    differs: ['connections'],
  },
}))
