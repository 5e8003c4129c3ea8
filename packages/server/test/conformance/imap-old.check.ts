/** IMAP accounts on a dovecot with few capabilities, with the suites of every mail provider. */
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
