/**
 * The folders that every mailbox has. Graph accepts their names in paths but returns only ids, so the ids are
 * requested once and cached. They never change.
 */

import { ApiError } from '@waypost/platform/api-error'
import { RetainedValue } from '../../shared/retained-value.ts'
import { isMissing } from '../errors.ts'
import { type Mailbox, named } from './mail-api.ts'
import { uses, type WellKnown } from './mapping/folder.ts'

const names = Object.keys(uses) as WellKnown[]

export type WellKnownIds = ReadonlyMap<WellKnown, string>

async function ask({ session, path }: Mailbox): Promise<WellKnownIds> {
  const calls = names.map((name) => ({ path: path(`mailFolders/${name}`), query: { $select: 'id' } }))
  const answers = await session.batch(calls, named)
  return new Map(
    answers.flatMap((answer, place): [WellKnown, string][] => {
      const name = names[place]
      if (answer instanceof ApiError) {
        // The archive is created on first use, and some folders of a shared mailbox may not be accessible.
        if (isMissing(answer) || answer.code === 'provider_refused') return []
        throw answer
      }
      return name === undefined ? [] : [[name, answer.id]]
    }),
  )
}

/** The ids, requested on the first call; a failure is not cached. */
export function wellKnownIds(mailbox: Mailbox): Promise<WellKnownIds> {
  const { io } = mailbox.session
  const known = io.retained(`folders of ${mailbox.owner}`, () => new RetainedValue<Promise<WellKnownIds>>())
  known.value ??= ask(mailbox).catch((error: unknown) => {
    known.value = undefined
    throw error
  })
  return known.value
}

/** The special-use attributes of folders, by id. */
export const attributesOf = (ids: WellKnownIds): ReadonlyMap<string, string> =>
  new Map([...ids].map(([name, id]) => [id, uses[name]]))
