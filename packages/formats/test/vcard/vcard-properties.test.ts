/** Any vCard: written values are read back, and unsupported lines are never lost. */

import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CardChange, changeCard, newCard } from '../../src/vcard/changes.ts'
import { categoriesOf, contactOf } from '../../src/vcard/contact.ts'
import { addMember, isGroup, membersOf, newGroup, removeMember, renameGroup } from '../../src/vcard/group.ts'
import { imKey } from '../../src/vcard/im.ts'
import type { Version } from '../../src/vcard/lines.ts'
import { readVCard, type VCard } from '../../src/vcard/vcard.ts'
import { difficultCards } from './difficult-cards.ts'

const now = Date.UTC(2026, 0, 1)
const versions: Version[] = ['2.1', '3.0', '4.0']

function read(text: string): VCard {
  const card = readVCard(text)
  if (!card) throw new Error('no card')
  return card
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no field of the API holds them
const controls = /[\x00-\x1f\x7f\u2028\u2029]/g
/** A text of one line; characters with a meaning in vCard are frequent. */
const line = fc
  .array(
    fc.oneof(
      fc.constantFrom(...';,:\\\\"=^nN ', 'ä', '漢', '😀', 'item1.', 'BEGIN:VCARD', 'x'.repeat(80)),
      fc.string({ unit: 'grapheme' }),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join('').replace(controls, '').toWellFormed().trim())
const some = line.filter((text) => text !== '')
const optional = fc.option(some, { nil: null })
/** A text of several lines. */
const text = fc.array(some, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
const kind = fc.constantFrom('work', 'home', 'mobile', 'other', undefined)
function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T
}

const addresses = fc.array(
  fc.record({
    type: fc.constantFrom('work', 'home', 'other'),
    street_address: fc.option(text, { nil: null }),
    city: optional,
    state: optional,
    postal_code: optional,
    country: fc.constantFrom('France', '日本'),
  }),
  { maxLength: 3 },
)
const messengers = fc.uniqueArray(
  fc.record({ im_address: some, type: fc.constantFrom('jabber', 'skype', 'AIM', 'Own', 'Two words') }),
  { maxLength: 3, selector: imKey },
)
const day = fc.date({ min: new Date('1600-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
const birthday = fc.option(
  fc
    .tuple(day, fc.boolean())
    .map(([date, known]) => (known ? '' : '0000') + date.toISOString().slice(known ? 0 : 4, 10)),
  { nil: null },
)
// A mail address or a page is not a URI of its own kind, and has no blanks: the contract refuses those.
const word = some
  .map((each) => each.replace(/[\s\\]/g, '').replace(/^(?:mailto|tel):/i, 'x'))
  .filter((each) => each !== '')
const words = <K extends 'email' | 'url' | 'number'>(name: K) =>
  fc.array(fc.record({ [name]: word, type: kind }).map(withoutUndefined), { maxLength: 4 }) as fc.Arbitrary<
    (Record<K, string> & { type?: string })[]
  >

const drafts: fc.Arbitrary<CardChange> = fc.record({
  given_name: optional,
  middle_name: optional,
  surname: optional,
  suffix: optional,
  nickname: optional,
  birthday,
  company_name: optional,
  job_title: optional,
  manager_name: optional,
  office_location: optional,
  notes: fc.option(text, { nil: null }),
  emails: words('email'),
  phone_numbers: words('number'),
  im_addresses: messengers,
  physical_addresses: addresses,
  web_pages: words('url'),
  categories: fc.uniqueArray(some, { maxLength: 3 }),
})

const shown = (card: VCard): object => {
  const { display_name: _, ...contact } = contactOf(card)
  return { ...contact, categories: categoriesOf(card).toSorted() }
}
const wanted = (draft: CardChange): object => ({ ...draft, categories: draft.categories?.toSorted() })

test('a new card has the written values', () => {
  fc.assert(
    fc.property(drafts, fc.constantFrom(...versions), (draft, version) => {
      const card = newCard(draft, { uid: 'u1', version, now })
      expect(shown(read(card.write()))).toEqual(wanted(draft))
    }),
    { numRuns: runs(60) },
  )
})

test('a changed card has the last written values, and keeps the lines of others', () => {
  const others = ['X-ONE:1', 'item9.X-TWO;A="b;c":2', 'item9.X-ABLabel:two', 'KEY;ENCODING=b:AAAA']
  fc.assert(
    fc.property(drafts, drafts, fc.constantFrom(...versions), (first, second, version) => {
      const made = newCard(first, { uid: 'u1', version, now }).write()
      const text = made.replace('\r\nEND:', `\r\n${others.join('\r\n')}\r\nEND:`)
      const card = read(text)
      changeCard(card, second, now)
      const after = card.write()
      expect(shown(read(after))).toEqual(wanted(second))
      expect(after.split('\r\n').filter((each) => others.includes(each))).toEqual(others)
      // Back to the old values, and to the new ones again: the same lines remain.
      const again = read(after)
      expect(changeCard(again, second, now)).toBe(false)
      expect(again.write()).toBe(after)
    }),
    { numRuns: runs(40) },
  )
})

test('difficult cards accept any change', () => {
  fc.assert(
    fc.property(drafts, fc.constantFrom(...difficultCards), (draft, { text }) => {
      const card = read(text)
      changeCard(card, draft, now)
      expect(shown(read(card.write()))).toEqual(wanted(draft))
    }),
    { numRuns: runs(60) },
  )
})

test('any text is written back as it was read', () => {
  const pieces = fc.constantFrom(
    'BEGIN:VCARD',
    'END:VCARD',
    '\r\n',
    '\n',
    ' ',
    ';',
    ':',
    'ENCODING=QUOTED-PRINTABLE',
    '=',
    'item1.',
    '"',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (parts) => {
      const text = `BEGIN:VCARD\r\n${parts.join('')}`
      const card = readVCard(text)
      // A continuation line may change the line before it.
      if (!card) return
      contactOf(card)
      expect(card.write()).toBe(text)
    }),
  )
})

test('a group has the members that were added', () => {
  fc.assert(
    fc.property(
      some,
      some,
      fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...versions),
      (name, other, uids, version) => {
        const group = newGroup(name, { uid: 'g', version })
        for (const uid of uids) expect(addMember(group, uid)).toBe(true)
        for (const uid of uids) expect(addMember(group, `urn:uuid:${uid.toUpperCase()}`)).toBe(false)
        renameGroup(group, other)
        const after = read(group.write())
        expect([isGroup(after), contactOf(after).display_name, membersOf(after)]).toEqual([true, other, uids])
        for (const uid of uids) removeMember(after, uid)
        expect(membersOf(read(after.write()))).toEqual([])
      },
    ),
  )
})
