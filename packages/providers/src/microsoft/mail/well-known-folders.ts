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
  #asked: Promise<WellKnownIds> | undefined

  /** The ids, requested on the first call; a failure is not cached. */
  of(mailbox: Mailbox): Promise<WellKnownIds> {
    this.#asked ??= ask(mailbox).catch((error: unknown) => {
      this.#asked = undefined
      throw error
    })
    return this.#asked
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#asked = undefined
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
  mailbox.session.io.kept(`folders of ${mailbox.owner}`, () => new KnownIds()).of(mailbox)

/** The special-use attributes of folders, by id. */
export const attributesOf = (ids: WellKnownIds): ReadonlyMap<string, string> =>
  new Map([...ids].map(([name, id]) => [id, uses[name]]))
