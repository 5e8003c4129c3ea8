/**
 * The folders that every mailbox has. Graph accepts their names in paths but returns only ids, so the ids are
 * requested once and cached. They never change.
 */
import { ApiError } from '@waypost/platform/api-error'
import { isMissing } from '../errors.ts'
import { type Mailbox, named } from './mail-api.ts'
import { uses, type WellKnown } from './mapping/folder.ts'

const names = Object.keys(uses) as WellKnown[]

export type WellKnownIds = ReadonlyMap<WellKnown, string>

class KnownIds implements AsyncDisposable {
  #requested: Promise<WellKnownIds> | undefined

  /** The ids, requested on the first call; a failure is not cached. */
  of(mailbox: Mailbox): Promise<WellKnownIds> {
    this.#requested ??= ask(mailbox).catch((error: unknown) => {
      this.#requested = undefined
      throw error
    })
    return this.#requested
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#requested = undefined
  }
}

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

export const wellKnownIds = (mailbox: Mailbox): Promise<WellKnownIds> =>
  mailbox.session.io.retained(`folders of ${mailbox.owner}`, () => new KnownIds()).of(mailbox)

/** The special-use attributes of folders, by id. */
export const attributesOf = (ids: WellKnownIds): ReadonlyMap<string, string> =>
  new Map([...ids].map(([name, id]) => [id, uses[name]]))
