/** The people in a header, and their names. */
import { describe, expect, test } from 'vitest'
import { readCorrespondents } from '../../../formats/src/mime/addresses.ts'
import { nameOf, nameParts } from '../../src/contacts/gathering.ts'

const read = (header: string) => readCorrespondents(Buffer.from(header.replaceAll('\n', '\r\n')))

describe('the people of a header', () => {
  test('are the senders and the recipients', () => {
    const header =
      'From: Ann <ann@a.test>\nTo: b@a.test,\n c@a.test\nCC: d@a.test\nReply-To: x@a.test\nBcc: e@a.test\n\n'
    expect(read(header).map(({ email }) => email)).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => `${name === 'a' ? 'ann' : name}@a.test`),
    )
  })

  test('of a long list are the first ones, none of them truncated', () => {
    const all = Array.from({ length: 3_000 }, (_, number) => `person${number}@somewhere.test`)
    const found = read(`To: ${all.join(', ')}\n\n`).map(({ email }) => email)
    expect(found).toEqual(all.slice(0, 100))
    const long = Array.from({ length: 60 }, (_, number) => `"${'n'.repeat(100)}" <person${number}@somewhere.test>`)
    const few = read(`To: ${long.join(', ')}\n\n`).map(({ email }) => email)
    expect(few.length).toBeGreaterThan(20)
    expect(few).toEqual(few.map((_, number) => `person${number}@somewhere.test`))
  })
})

describe('the name of somebody', () => {
  test.each([
    ['Zoe', { given_name: 'Zoe' }],
    ['Zoe van der Berg', { given_name: 'Zoe van der', surname: 'Berg' }],
    ['Berg, Zoe van der', { given_name: 'Zoe van der', surname: 'Berg' }],
    ['', {}],
  ])('%j has its parts', (name, parts) => {
    expect(nameParts(name)).toEqual(parts)
  })

  test.each([
    ['ann@a.test', ''],
    [" 'Ann@A.test' ", ''],
    ['Ann\r\n\tSmith', 'Ann Smith'],
    [`${' '.repeat(100_000)}x`, ''],
    ['n'.repeat(1_000), 'n'.repeat(255)],
  ])('%# is on one line, and empty if it is the address', (name, shown) => {
    expect(nameOf({ name, email: 'ann@a.test' })).toBe(shown)
  })
})
