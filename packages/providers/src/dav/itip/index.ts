/** Scheduling by mail for accounts whose calendar server has no scheduling. */
import type { Provider } from '../../provider.ts'
import type { CalDavTraits } from '../caldav/traits.ts'
import { isMade, type MailingSession } from './mail.ts'
import { receiver } from './receive.ts'

export { type MailingSession, schedulingMail } from './mail.ts'

/** The iTIP part of an adapter. */
export const itipOf = <S extends MailingSession>(traits: CalDavTraits<S>): NonNullable<Provider<S>['itip']> => ({
  isMade,
  receive: receiver(traits),
})
