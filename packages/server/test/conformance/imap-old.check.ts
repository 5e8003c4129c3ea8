/** IMAP accounts on a dovecot that can do little, through the suites that every provider of mail passes. */
import { modernCapabilities, startDovecot } from '../peers/dovecot.ts'
import { describeDrafts } from './drafts.ts'
import { imapSubject } from './imap-subject.ts'
import { describeLookAlikes } from './look-alikes.ts'
import { describeMailOfServer } from './mail.ts'
import { sharedMail } from './shared-subject.ts'

const old = { separator: '.', prefix: 'INBOX.' } as const
const start = () => startDovecot({ ...old, without: modernCapabilities })
const ancient = sharedMail(imapSubject('an old dovecot', start, old))
describeMailOfServer(ancient)
describeDrafts(ancient)
describeLookAlikes(ancient)
