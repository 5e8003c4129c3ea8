import { imapSettings, imapSubject } from '../../../conformance/imap-subject.ts'
import { sharedDovecot } from '../../../peers/dovecot.ts'
import { openMail, type ToolKind } from './tool-accounts.ts'

const dovecot = imapSubject('imap', sharedDovecot, {
  ...{ separator: '/', prefix: '' },
  kind: { provider: 'imap', env: () => ({}), settings: imapSettings },
})

export const imapTools: ToolKind = { has: new Set(['mail', 'contacts']), open: () => openMail(dovecot, false) }
