/** IMAP accounts on Cyrus, with the suites of every mail provider. */
import { sharedCyrus } from '../peers/cyrus.ts'
import { describeDrafts } from './drafts.ts'
import { imapSubject } from './imap-subject.ts'
import { describeLookAlikes } from './look-alikes.ts'
import { describeMailOfServer } from './mail.ts'
import { sharedMail } from './shared-subject.ts'

const refusedNames = ['100% sure', 'with "quotes"', 'back\\slash']
const cyrus = sharedMail(imapSubject('cyrus', sharedCyrus, { separator: '/', prefix: '', refusedNames }))
describeMailOfServer(cyrus)
describeDrafts(cyrus)
describeLookAlikes(cyrus)
