/** Filters for Graph: `$filter` if it supports them, `$search` otherwise. */
import { describe, expect, test } from 'vitest'
import { searchOf, searchText } from '../../src/microsoft/mail/mapping/query.ts'

describe('filters for Graph', () => {
  test('are combined conditions, with quotes doubled', () => {
    const filters = { subject: "it's", from: ['a@x.test', 'b@x.test'], unread: true, starred: false, thread_id: 'C1' }
    expect(searchOf(filters)).toEqual({
      terms: [
        "conversationId eq 'C1'",
        "contains(subject,'it''s')",
        "(from/emailAddress/address eq 'a@x.test' or from/emailAddress/address eq 'b@x.test')",
        'isRead eq false',
        "flag/flagStatus ne 'flagged'",
      ],
    })
    expect(searchOf({})).toEqual({ terms: [] })
  })

  test('are search words for recipients or texts; operators within words are words', () => {
    expect(searchOf({ q: 'lunch OR "at noon"', to: ['bob@x.test'] })).toEqual({
      words: '"lunch" AND "OR" AND "at noon" AND to:"bob@x.test"',
    })
    expect(searchOf({ any_email: ['a@x.test', 'b" OR from:c@x.test'] })).toEqual({
      words: '(participants:"a@x.test" OR participants:"b  OR from:c@x.test")',
    })
    expect(searchText('subject:"a\\b"')).toBe('"subject:\\"a\\\\b\\""')
  })

  test('in a given thread are only conditions', () => {
    expect(searchOf({ thread_id: 'C1', q: 'lunch' })).toEqual({ terms: ["conversationId eq 'C1'"] })
  })

  test("in Graph's own syntax are one of both", () => {
    expect(searchOf({ search_query_native: 'from:ann' })).toEqual({ words: 'from:ann' })
    expect(searchOf({ search_query_native: '$search="from:ann"' })).toEqual({ words: 'from:ann' })
    expect(searchOf({ search_query_native: '$filter=isRead eq true', in: 'x' })).toEqual({
      terms: ['(isRead eq true)'],
      isNative: true,
    })
    expect(() => searchOf({ search_query_native: '$top=3' })).toThrow(/\$top/)
    expect(() => searchOf({ search_query_native: 'a', unread: true })).toThrow(/unread/)
  })
})
