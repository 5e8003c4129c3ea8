/**
 * Subscribes to Gmail's changes through a Pub/Sub topic of the application. A subscription lasts a week at most and
 * is renewed daily.
 */
import { keepSubscription, type PushSubscription, type StoredSubscription } from '../../shared/push-subscription.ts'
import type { Session } from '../session.ts'
import { me } from './gmail-api.ts'

const day = 86_400_000
const week = 7 * day

/** Creates or renews the subscription, if the connector names a topic. */
export const keepWatch = (
  session: Session,
  retained: StoredSubscription<PushSubscription> = {},
): Promise<StoredSubscription<PushSubscription>> =>
  keepSubscription(session, retained, {
    refusal: 'Gmail does not tell of changes through the topic',
    renewMs: week - day,
    async create() {
      const { settings } = await session.io.client()
      const topicName = settings.topic_name
      if (typeof topicName !== 'string' || topicName === '') return undefined
      await session.execute('gmail', 'POST', `${me}/watch`, { query: { fields: 'expiration' }, body: { topicName } })
      return { expires: session.io.clock.now() + week }
    },
  })

/**
 * Whether Gmail pushes changes. A subscription that could not be renewed is not relied on, although it may last some
 * days.
 */
export const isWatched = ({ current, retryAt }: StoredSubscription<PushSubscription>): boolean =>
  current !== undefined && retryAt === undefined
