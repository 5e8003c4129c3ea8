/** Difficult vCards: read, written unchanged, and changed line by line. */
import { describe, expect, test } from 'vitest'
import { unfold } from '../../src/icalendar/content-lines.ts'
import { type CardChange, changeCard } from '../../src/vcard/changes.ts'
import { categoriesOf, contactOf, uidOf } from '../../src/vcard/contact.ts'
import { isGroup, membersOf } from '../../src/vcard/group.ts'
import { hasPhoto, readPhoto } from '../../src/vcard/photo.ts'
import { readVCard, type VCard } from '../../src/vcard/vcard.ts'
import type { DifficultCard } from './cards.ts'
import { png } from './cards.ts'
import { difficultCards } from './difficult-cards.ts'

const now = Date.UTC(2026, 0, 1)

function read(text: string): VCard {
  const card = readVCard(text)
  if (!card) throw new Error('no card')
  return card
}

const photoOf = (card: VCard): string | undefined => {
  const photo = readPhoto(card)
  return photo && ('url' in photo ? photo.url : photo.base64)
}

const factsOf = (card: VCard): Required<DifficultCard['facts']> => ({
  ...contactOf(card),
  categories: categoriesOf(card),
  uid: uidOf(card) ?? '',
  isGroup: isGroup(card),
  members: membersOf(card),
  photo: photoOf(card) ?? '',
})

/** The unfolded lines of a text; those in quoted-printable unchanged. */
const linesOf = (text: string): string[] => {
  const lines: string[] = []
  for (const line of text.split(/(?<=\n)/)) {
    const last = lines.at(-1)
    if (/^[ \t]/.test(line) && last !== undefined && !/=\r?\n$/.test(last)) lines[lines.length - 1] = last + line
    else lines.push(line)
  }
  return lines.map(unfold)
}

/** The lines that only one of two texts has. */
function difference(before: string, after: string): { gone: string[]; come: string[] } {
  const without = (lines: string[], others: string[]): string[] => {
    const left = [...others]
    return lines.filter((line) => {
      const at = left.indexOf(line)
      if (at !== -1) left.splice(at, 1)
      return at === -1
    })
  }
  const [old, young] = [linesOf(before), linesOf(after)]
  return { gone: without(old, young).toSorted(), come: without(young, old).toSorted() }
}

test('there are more than a hundred', () => {
  expect(difficultCards.length).toBeGreaterThan(100)
})

describe.each(difficultCards)('$from: $what', ({ text, facts, change }) => {
  test('is read, and written back with the same bytes', () => {
    const card = read(text)
    expect(factsOf(card)).toMatchObject(facts)
    expect(card.write()).toBe(text)
    expect(hasPhoto(card)).toEqual(expect.anything())
    if (facts.photo !== undefined) expect(hasPhoto(card)).toBe(/^https?:/.test(facts.photo) ? facts.photo : true)
  })

  if (change) {
    test('changes only by the expected lines', () => {
      const { fields, gone = [], come = [] } = change
      const card = read(text)
      expect(changeCard(card, fields, now)).toBe(true)
      expect(difference(text, card.write())).toEqual({ gone: gone.toSorted(), come: come.toSorted() })
    })
  }

  test('keeps every line when its own values are written again', () => {
    const card = read(text)
    const { display_name: _, ...contact } = contactOf(card)
    const isChanged = changeCard(card, { ...contact, categories: categoriesOf(card) }, now)
    expect({ isChanged, text: card.write() }).toEqual({ isChanged: false, text })
  })

  test('accepts a change of every field, and no other line changes', () => {
    for (const [what, fields, names] of changes) {
      const card = read(text)
      changeCard(card, fields, now)
      expect(factsOf(read(card.write())), what).toMatchObject(shownAs(fields))
      const allowed = new RegExp(`^(?:[\\w-]+\\.)?(?:${names}|FN|REV|X-ABLabel|X-ABADR)[;:]`, 'i')
      // A line of version 2.1 may continue in the next one, which then has no name.
      const { gone } = difference(text, card.write())
      expect(
        gone.filter((line) => !allowed.test(line) && !isContinuation(text, line)),
        what,
      ).toEqual([])
    }
  })
})

const isContinuation = (text: string, line: string): boolean => {
  const lines = linesOf(text)
  const before = lines[lines.indexOf(line) - 1] ?? ''
  return before.endsWith('=') || /BASE64/.test(before)
}

/** The expected reading after a change. */
const shownAs = ({ picture, ...fields }: CardChange): object => ({
  ...fields,
  ...(picture ? { photo: png } : {}),
})

const address = { street_address: '9 Long Way', city: 'Zürich', state: 'ZH', postal_code: '8000', country: 'Schweiz' }
/** One change of each field, and the names of the lines that it may remove. */
const changes: [string, CardChange, string][] = [
  ['another given name', { given_name: 'Zoë; "the, first"' }, 'N'],
  ['another surname', { surname: 'O\\Brien' }, 'N'],
  ['a nickname', { nickname: 'Zed' }, 'NICKNAME'],
  ['a birthday', { birthday: '1999-12-31' }, 'BDAY'],
  ['a birthday without a year', { birthday: '0000-12-31' }, 'BDAY'],
  ['a company', { company_name: 'Ünited, Inc.' }, 'ORG'],
  ['a title', { job_title: 'Chief; Officer' }, 'TITLE'],
  ['a manager', { manager_name: 'Big Boss' }, '[\\w-]*manager[\\w-]*|X-ABRELATEDNAMES|RELATED'],
  ['an office', { office_location: 'Room 7' }, '[\\w-]*OFFICE'],
  ['notes', { notes: 'First line\nSecond; line, with marks' }, 'NOTE'],
  ['addresses of mail', { emails: [{ email: 'one@new.test', type: 'work' }, { email: 'two@new.test' }] }, 'EMAIL'],
  [
    'numbers',
    {
      phone_numbers: [
        { number: '+1 (2) 3', type: 'mobile' },
        { number: '4', type: 'other' },
      ],
    },
    'TEL',
  ],
  [
    'messengers',
    {
      im_addresses: [
        { im_address: 'me@chat', type: 'jabber' },
        { im_address: 'a b', type: 'Foo' },
      ],
    },
    'IMPP|X-[\\w-]+',
  ],
  [
    'postal addresses',
    {
      physical_addresses: [
        { type: 'home', ...address },
        { type: 'work', ...address, city: 'Bern' },
      ],
    },
    'ADR',
  ],
  ['pages', { web_pages: [{ url: 'https://new.test/a,b;c', type: 'home' }] }, 'URL'],
  ['categories', { categories: ['A, b', 'C'] }, 'CATEGORIES'],
  ['a picture', { picture: `data:image/png;base64,${png}` }, 'PHOTO'],
]
