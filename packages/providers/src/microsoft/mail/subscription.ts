/** The subscription to changes of mail in all folders. */
import type { SinceOptions } from '../../provider.ts'
import type { StoredSubscription } from '../../shared/push-subscription.ts'
import type { Session } from '../session.ts'
import { keepGraphSubscription, type Subscription } from '../stored-subscription.ts'

export const keepMailSubscription = (
  session: Session,
  retained: StoredSubscription<Subscription> = {},
  options: Pick<SinceOptions, 'renewPush'> = {},
): Promise<StoredSubscription<Subscription>> =>
  keepGraphSubscription(
    session,
    retained,
    {
      resource: 'messages',
      changeType: 'created,updated',
      refusal: 'Microsoft does not tell of changes of mail: they are asked for',
    },
    options,
  )
