/** The folders that every mailbox has: their ids never change, so they are asked for once. */

import { ApiError } from '@waypost/platform/api-error'
import { RetainedValue } from '../shared/retained-value.ts'
import { hasCode, isMissing } from './errors.ts'
import { GetFolder } from './operations/folders.ts'
import type { Session } from './session.ts'
import { type DistinguishedName, distinguished } from './types/ids.ts'
import { idAnd } from './types/shapes.ts'

const names = [
  'msgfolderroot',
  'inbox',
  'sentitems',
  'drafts',
  'deleteditems',
  'junkemail',
  'outbox',
  'calendar',
  'contacts',
] as const satisfies readonly DistinguishedName[]
export type WellKnownName = (typeof names)[number]

/** Ids as Exchange writes them. */
export type WellKnownIds = ReadonlyMap<WellKnownName, string>

/** The ids of those that the mailbox has: the account's own, or that of an address that shares it, as far as it is open. */
export async function wellKnownIds(session: Session, sharedFrom?: string): Promise<WellKnownIds> {
  const whose = sharedFrom === undefined ? '' : ` of ${sharedFrom}`
  const known = session.io.retained(`well-known folders${whose}`, () => new RetainedValue<WellKnownIds>())
  if (known.value) return known.value
  const ids = await readIds(session, sharedFrom)
  // What is closed today may be open tomorrow.
  if (sharedFrom === undefined || ids.size === names.length) known.value = ids
  return ids
}

async function readIds(session: Session, sharedFrom: string | undefined): Promise<WellKnownIds> {
  const answers = await session.each(GetFolder, {
    FolderShape: idAnd(),
    FolderIds: names.map((name) => distinguished(name, sharedFrom)),
  })
  return new Map(
    names.flatMap((name, place) => {
      const answer = answers[place]
      if (answer instanceof Error) {
        const isClosed = sharedFrom !== undefined && hasCode(answer, 'ErrorAccessDenied')
        if (!isMissing(answer) && !isClosed) throw answer
        return []
      }
      const id = answer?.Folders?.[0]?.FolderId?.Id
      return id === undefined ? [] : [[name, id] as const]
    }),
  )
}

/** One that every mailbox has. */
export async function wellKnownId(session: Session, name: WellKnownName): Promise<string> {
  const id = (await wellKnownIds(session)).get(name)
  if (id === undefined) throw new ApiError('provider_unavailable', `Exchange does not say where the folder ${name} is`)
  return id
}
