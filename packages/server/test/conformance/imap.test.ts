/** IMAP accounts on dovecot, through the suites that every provider of mail passes: as it is, and as one that can do little. */
import { modernCapabilities, startDovecot } from '../peers/dovecot.ts'
import { describeDrafts } from './drafts.ts'
import { imapSubject } from './imap-subject.ts'
import { describeLookAlikes } from './look-alikes.ts'
import { describeMail } from './mail.ts'
import { describeMessages } from './messages.ts'

const usual = { separator: '/', prefix: '' } as const
describeMail(imapSubject('dovecot', startDovecot, usual))
describeDrafts(imapSubject('dovecot', startDovecot, usual))
describeLookAlikes(imapSubject('dovecot', startDovecot, usual))
describeMessages(
  imapSubject('a dovecot that allows one connection', () => startDovecot({ connectionsPerUser: 1 }), usual),
)

const old = { separator: '.', prefix: 'INBOX.' } as const
const ancient = imapSubject('an old dovecot', () => startDovecot({ ...old, without: modernCapabilities }), old)
describeMail(ancient)
describeDrafts(ancient)
describeLookAlikes(ancient)
