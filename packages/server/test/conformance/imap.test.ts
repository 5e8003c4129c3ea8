/** IMAP accounts on an unmodified Dovecot. */
import { enginesFor } from '@waypost/testing/engines'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { describeProvider } from './describe-provider.ts'
import { imapContacts } from './imap-contacts-subject.ts'
import { imapSubject } from './imap-subject.ts'

await describeProvider(() => ({
  adapter: 'imap',
  mail: imapSubject('dovecot', sharedDovecot, { separator: '/', prefix: '' }),
  contacts: enginesFor(import.meta.url).map(imapContacts),
}))
