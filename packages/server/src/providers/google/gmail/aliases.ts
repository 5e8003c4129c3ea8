/** The addresses that an account may send from beside its own. */
import { googleStatus } from '../errors.ts'
import type { Session } from '../session.ts'
import { me } from './gmail-api.ts'

interface SendAs {
  sendAsEmail: string
  isPrimary?: boolean
  verificationStatus?: string
}

/** Those that are verified; none where the grant does not let them be read. */
export async function aliases(session: Session): Promise<string[]> {
  const query = { fields: 'sendAs(sendAsEmail,isPrimary,verificationStatus)' }
  try {
    const { sendAs = [] } = await session.call<{ sendAs?: SendAs[] }>('gmail', 'GET', `${me}/settings/sendAs`, {
      query,
    })
    return sendAs
      .filter(({ isPrimary, verificationStatus }) => !isPrimary && (verificationStatus ?? 'accepted') === 'accepted')
      .map(({ sendAsEmail }) => sendAsEmail)
  } catch (error) {
    if (googleStatus(error) === 403) return []
    throw error
  }
}
