/** Asking Gmail to tell of changes through a topic of the application; it does so for a week at most, and is asked daily. */
import { ApiError } from '../../../lib/api-error.ts'
import type { Session } from '../session.ts'
import { me } from './gmail-api.ts'
import type { MailState } from './watch-state.ts'

const day = 86_400_000
/** Without a topic, and after a failure. */
const hour = 3_600_000

/** Has Gmail tell of changes, where the connector names a topic; answers the state with when to ask again. */
export async function pushWatched(session: Session, state: MailState, now: number): Promise<MailState> {
  if ((state.pushUntil ?? 0) > now) return state
  const { settings } = await session.io.client()
  const topicName = settings.topic_name
  if (typeof topicName !== 'string' || topicName === '') {
    return { ...state, pushUntil: now + hour, pushes: false }
  }
  try {
    await session.call('gmail', 'POST', `${me}/watch`, { query: { fields: 'expiration' }, body: { topicName } })
    return { ...state, pushUntil: now + day, pushes: true }
  } catch (error) {
    // Without pushes Google is asked as without a topic.
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    session.io.log.warn({ error, grant_id: session.grant.id }, 'Gmail does not tell of changes through the topic')
    return { ...state, pushUntil: now + hour, pushes: false }
  }
}
