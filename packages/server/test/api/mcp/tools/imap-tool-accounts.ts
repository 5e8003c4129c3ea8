import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { imapSettings, imapSubject } from '../../../conformance/imap-subject.ts'
import { openMail, type ToolKind } from './tool-accounts.ts'

const dovecot = imapSubject('imap', sharedDovecot, {
  ...{ separator: '/', prefix: '' },
  kind: { provider: 'imap', env: () => ({}), settings: imapSettings },
})

export const imapTools: ToolKind = { has: new Set(['mail', 'contacts']), open: () => openMail(dovecot, false) }
