/** The addresses that an account may send from, in addition to its own. */
import { list, object, text } from '@waypost/platform/json/reader'
import { aliasesIn } from '../../mail/exchange/mapping.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'

const answer = object({}, { mail: text, userPrincipalName: text, proxyAddresses: list(text) })

/** The addresses from the organization; none if the grant may not read them. */
export async function aliases(session: Session): Promise<string[]> {
  try {
    const query = { $select: 'mail,userPrincipalName,proxyAddresses' }
    const { proxyAddresses = [] } = await session.call('GET', session.mailbox, { query, read: answer })
    return aliasesIn(proxyAddresses, session.grant.email)
  } catch (error) {
    if (providerStatus(error) === 403) return []
    throw error
  }
}
