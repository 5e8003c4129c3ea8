// The mails about meetings.
import type { AccountOwner } from '../owner.ts'
import type { CalendarState, MeetingMail, ResponseType, StoredEvent } from './state.ts'

export interface MailDraft {
  readonly kind: MeetingMail['kind']
  readonly to: string
  readonly event: Pick<StoredEvent, 'uid' | 'subject'>
  readonly comment?: string
  readonly response?: ResponseType
}

/** Notes what Exchange would have mailed. */
export function noteMail(state: CalendarState, from: AccountOwner, draft: MailDraft): void {
  const { kind, to, event, comment = '', response } = draft
  state.mailboxes.get(from.id)?.mails.push({
    kind,
    from: from.email,
    to,
    uid: event.uid,
    subject: event.subject,
    comment,
    ...(response !== undefined && { response }),
  })
}
