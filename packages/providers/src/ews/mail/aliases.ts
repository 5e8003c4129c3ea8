/** The addresses that an account may send from, in addition to its own: those in its directory entry. */
import { aliasesIn } from '../../mail/exchange/mapping.ts'
import { EwsError } from '../errors.ts'
import { ResolveNames } from '../operations/resolve-names.ts'
import type { Session } from '../session.ts'

/** None if the server does not return them. */
export async function aliases(session: Session): Promise<string[]> {
  const own = session.address.toLowerCase()
  const request = {
    ReturnFullContactData: true,
    SearchScope: 'ActiveDirectory' as const,
    UnresolvedEntry: `smtp:${own}`,
  }
  try {
    const { ResolutionSet } = await session.call(ResolveNames, request)
    const all = (ResolutionSet ?? []).filter(({ Mailbox }) => Mailbox?.EmailAddress?.toLowerCase() === own)
    const named = all.flatMap(({ Contact }) => (Contact?.EmailAddresses ?? []).map(({ value }) => value))
    return aliasesIn(named, own)
  } catch (error) {
    if (error instanceof EwsError && (error.code === 'not_found' || error.code === 'provider_refused')) return []
    throw error
  }
}
