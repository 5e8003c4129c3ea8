/** Scheduling by mail for accounts whose calendar server does none. */
import type { Provider } from '../../provider.ts'
import type { CalDavTraits } from '../caldav/traits.ts'
import { isMade, type MailingSession } from './mail.ts'
import { receiver } from './receive.ts'

export { type MailingSession, schedulingMail } from './mail.ts'

/** The part of an adapter that does it. */
export const itipOf = <S extends MailingSession>(traits: CalDavTraits<S>): NonNullable<Provider<S>['itip']> => ({
  isMade,
  receive: receiver(traits),
})
