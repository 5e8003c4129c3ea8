import { messageNamesOf } from '@waypost/providers/registry'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Mailbox } from '@waypost/store/tables/mail/message-metadata'

/** Where the store finds what belongs to the mail of a grant. */
export const mailboxOf = ({ applicationId, grant }: GrantRecord): Mailbox => ({
  applicationId,
  grantId: grant.id,
  ...messageNamesOf(grant),
})
