// The names of a contact that Exchange derives from others.
import { tagKey } from '../store/extended.ts'
import type { StoredItem } from '../store/stored.ts'
import type { ContactContent } from './content.ts'

/** PR_DISPLAY_NAME_PREFIX, which has no field. */
export const TITLE = tagKey(0x3a45, 'String')

type Texts = ContactContent['texts']

const joined = (separator: string, ...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(separator)

const given = ({ GivenName, MiddleName }: Texts) => joined(' ', GivenName, MiddleName)

/** The formats of a derived `FileAs`. */
const mappings: Readonly<Record<string, (texts: Texts) => string>> = {
  LastCommaFirst: (texts) => joined(', ', texts.Surname, given(texts)),
  FirstSpaceLast: (texts) => joined(' ', given(texts), texts.Surname),
  Company: ({ CompanyName }) => CompanyName ?? '',
  LastCommaFirstCompany: (texts) => joined('\r\n', joined(', ', texts.Surname, given(texts)), texts.CompanyName),
  CompanyLastFirst: (texts) => joined('\r\n', texts.CompanyName, joined('', texts.Surname, given(texts))),
  LastFirst: (texts) => joined('', texts.Surname, given(texts)),
  LastFirstCompany: (texts) => joined('\r\n', joined('', texts.Surname, given(texts)), texts.CompanyName),
  CompanyLastCommaFirst: (texts) => joined('\r\n', texts.CompanyName, joined(', ', texts.Surname, given(texts))),
  LastFirstSuffix: (texts) => joined(' ', joined('', texts.Surname, given(texts)), texts.Generation),
  LastSpaceFirstCompany: (texts) => joined('\r\n', joined(' ', texts.Surname, given(texts)), texts.CompanyName),
  CompanyLastSpaceFirst: (texts) => joined('\r\n', texts.CompanyName, joined(' ', texts.Surname, given(texts))),
  LastSpaceFirst: (texts) => joined(' ', texts.Surname, given(texts)),
  DisplayName: ({ DisplayName }) => DisplayName ?? '',
  FirstName: ({ GivenName }) => GivenName ?? '',
  LastName: ({ Surname }) => Surname ?? '',
  LastFirstMiddleSuffix: (texts) => joined(' ', joined(', ', texts.Surname, given(texts)), texts.Generation),
  Empty: () => '',
}

/** The value of `FileAs`: as written, or as derived by the mapping. */
export function fileAs({ texts }: Pick<ContactContent, 'texts'>): string | undefined {
  const { FileAsMapping: mapping = 'None', FileAs: written } = texts
  return mappings[mapping]?.(texts) ?? written
}

/** `CompleteName`, as pairs of element name and value, in order. */
export function completeName({ content, extended }: StoredItem<ContactContent>): [string, string][] {
  const { texts } = content
  const title = extended.get(TITLE)
  const parts: [string, string | undefined][] = [
    ['Title', typeof title === 'string' ? title : undefined],
    ['FirstName', texts.GivenName],
    ['MiddleName', texts.MiddleName],
    ['LastName', texts.Surname],
    ['Suffix', texts.Generation],
    ['Initials', texts.Initials],
    ['FullName', texts.DisplayName],
    ['Nickname', texts.Nickname],
    ['YomiFirstName', texts.PhoneticFirstName],
    ['YomiLastName', texts.PhoneticLastName],
  ]
  return parts.filter((part): part is [string, string] => part[1] !== undefined && part[1] !== '')
}
