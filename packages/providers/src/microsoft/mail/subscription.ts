/** The subscription to changes of mail in all folders. */
import type { SinceOptions } from '../../provider.ts'
import type { KeptSubscription } from '../../shared/push-subscription.ts'
import { keepGraphSubscription, type Subscription } from '../kept-subscription.ts'
import type { Session } from '../session.ts'

export const keepMailSubscription = (
  session: Session,
  kept: KeptSubscription<Subscription> = {},
  options: Pick<SinceOptions, 'renewPush'> = {},
): Promise<KeptSubscription<Subscription>> =>
  keepGraphSubscription(
    session,
    kept,
    {
      resource: 'messages',
      changeType: 'created,updated',
      refusal: 'Microsoft does not tell of changes of mail: they are asked for',
    },
    options,
  )
