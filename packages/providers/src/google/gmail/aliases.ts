/** The addresses that an account may send from, in addition to its own. */
import { flag, object, readableItems, text } from '@waypost/platform/json/reader'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import { me } from './gmail-api.ts'

const sendAs = object({ sendAsEmail: text }, { isPrimary: flag, verificationStatus: text })
const answer = object({}, { sendAs: readableItems(sendAs) })

/** The verified ones; none if the grant may not read them. */
export async function aliases(session: Session): Promise<string[]> {
  const query = { fields: 'sendAs(sendAsEmail,isPrimary,verificationStatus)' }
  try {
    const { sendAs: all = [] } = await session.call('gmail', 'GET', `${me}/settings/sendAs`, { query, read: answer })
    return all
      .filter(({ isPrimary, verificationStatus }) => !isPrimary && (verificationStatus ?? 'accepted') === 'accepted')
      .map(({ sendAsEmail }) => sendAsEmail)
  } catch (error) {
    if (providerStatus(error) === 403) return []
    throw error
  }
}
