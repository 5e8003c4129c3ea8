/** IMAP accounts on Cyrus. It says what changed in a folder as dovecot does. */
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import { describeProvider } from './describe-provider.ts'
import { imapSubject } from './imap-subject.ts'

const refusedNames = ['100% sure', 'with "quotes"', 'back\\slash']
await describeProvider(() => ({
  adapter: 'imap',
  only: ['mail'],
  mail: {
    ...imapSubject('cyrus', sharedCyrus, { separator: '/', prefix: '', refusedNames }),
    differs: ['folder names', 'moving', 'searching'],
  },
}))
