/** The name and version of a new card. */
import type { Version } from '@waypost/formats/vcard/lines'
import { newId } from '@waypost/platform/ids'
import type { Once } from '../../operations.ts'
import type { Books } from './books.ts'
import type { CardDavTraits } from './traits.ts'

/** The UID of a new card. With an Idempotency-Key it is the same in every attempt. */
export const newUid = (once: Once | undefined): string =>
  once ? once.name.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : newId()

/** The version of a new card in the main address book. */
export function versionFor({ main: { versions } }: Books, { version }: CardDavTraits): Version {
  if (version) return version
  return versions.includes('3.0') || !versions.includes('4.0') ? '3.0' : '4.0'
}
