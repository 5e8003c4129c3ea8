import { imapSettings, imapSubject } from '../../../conformance/imap-subject.ts'
import { startDovecot } from '../../../peers/dovecot.ts'
import { openMail, type ToolKind } from './tool-accounts.ts'

const dovecot = imapSubject('imap', startDovecot, {
  ...{ separator: '/', prefix: '' },
  kind: { provider: 'imap', env: () => ({}), settings: imapSettings },
})

export const imapTools: ToolKind = { has: new Set(['mail', 'contacts']), open: () => openMail(dovecot, false) }
