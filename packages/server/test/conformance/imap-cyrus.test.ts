/** IMAP accounts on Cyrus, through the suites that every provider of mail passes. */
import { startCyrus } from '../peers/cyrus.ts'
import { imapSubject } from './imap-subject.ts'
import { describeMail } from './mail.ts'

const refusedNames = ['100% sure', 'with "quotes"', 'back\\slash']
describeMail(imapSubject('cyrus', startCyrus, { separator: '/', prefix: '', refusedNames }))
