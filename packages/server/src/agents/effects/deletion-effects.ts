/** The effects of deleting something for good. Pure. */
import { textIn } from '@waypost/platform/json/values'
import { type Detail, detail, type Effects, none, previewOf } from './effects.ts'

type Fields = Readonly<Record<string, unknown>>

const textOf = (object: Fields | undefined, ...names: string[]): string | undefined => {
  for (const name of names) {
    const value = object?.[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The addresses in a list of people. */
const addressesOf = (value: unknown): string =>
  Array.isArray(value) ? value.flatMap((person: unknown) => textIn(person, 'email') ?? []).join(', ') : ''

const dateOf = (object: Fields | undefined): string =>
  typeof object?.date === 'number' ? new Date(object.date * 1000).toISOString() : ''

export interface Deleted {
  /** The word for it, such as `draft`. */
  what: string
  id: string
  /** The object as the API returns it; undefined if it cannot be read. */
  object: Fields | undefined
  details?: readonly Detail[]
}

/** What a deletion depends on: what a person recognizes the object by. */
const basisOf = (object: Fields | undefined): unknown =>
  object && {
    name: textOf(object, 'subject', 'title', 'name', 'display_name'),
    date: object.date,
    body: object.body,
    from: addressesOf(object.from),
    to: addressesOf(object.to),
  }

export function deletionEffects({ what, id, object, details = [] }: Deleted): Effects {
  return {
    ...none,
    kinds: ['delete'],
    basis: basisOf(object),
    preview: previewOf({
      subject: textOf(object, 'subject', 'title', 'name', 'display_name', 'given_name', 'email', 'url') ?? '',
      details: [
        ...detail('Action', `Delete a ${what} permanently`),
        ...detail('Id', id),
        ...detail('From', addressesOf(object?.from)),
        ...detail('To', addressesOf(object?.to)),
        ...detail('Addresses', addressesOf(object?.emails)),
        ...detail('Date', dateOf(object)),
        ...detail('Description', textOf(object, 'description', 'snippet')),
        ...details,
      ],
    }),
  }
}
