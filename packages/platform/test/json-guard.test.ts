import { codePoint } from '@waypost/testing/code-points'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeUtf8, type JsonValue, parseJson } from '../src/json/guard.ts'

function problemOf(text: string): string {
  const parsed = parseJson(text)
  if (parsed.ok) throw new Error(`accepted: ${text.slice(0, 80)}`)
  return parsed.problem
}

function accept(text: string): JsonValue {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.value
}

function nativeParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/**
 * What the guard forbids in addition to the grammar, found in the parsed value; duplicate keys are not visible there.
 */
function isForbidden(value: unknown, depth = 0, holder = ''): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (typeof value === 'number') return !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return false
  if (depth >= 32) return true
  if (Array.isArray(value)) return value.some((item) => isForbidden(item, depth + 1))
  return Object.entries(value).some(
    ([key, item]) =>
      key === '__proto__' ||
      (holder === 'constructor' && key === 'prototype') ||
      isForbidden(key) ||
      isForbidden(item, depth + 1, key),
  )
}

describe('parsing agrees with JSON.parse', () => {
  test('for any JSON within the limits', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: codePoint }), (text) => {
        const native = nativeParse(text)
        fc.pre(native !== undefined && !isForbidden(native.value))
        expect(accept(text)).toEqual(native?.value)
      }),
      { numRuns: runs(2000) },
    )
  })

  test('for JSON laid out with spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(1, 2, '\t'), (value, indent) => {
        const text = ` \r\n${JSON.stringify(value, null, indent)}\t `
        fc.pre(!isForbidden(JSON.parse(text)))
        expect(accept(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('for JSON with changed characters: accepted text has the same value, malformed text is refused', () => {
    const change = fc.record({ at: fc.nat(), put: fc.constantFrom(...'{}[]",:\\u0eE-+.1 \n\t\0\x1ftn/é') })
    fc.assert(
      fc.property(fc.json(), fc.array(change, { minLength: 1, maxLength: 3 }), (json, changes) => {
        let text = json
        for (const { at, put } of changes) {
          const place = at % (text.length + 1)
          text = text.slice(0, place) + put + text.slice(place + (at % 2))
        }
        const native = nativeParse(text)
        const parsed = parseJson(text)
        if (!native) expect(parsed.ok).toBe(false)
        else if (parsed.ok) expect(parsed.value).toEqual(native.value)
        else if (!isForbidden(native.value)) expect(parsed.problem).toMatch(/key twice/)
      }),
      { numRuns: runs(5000) },
    )
  })

  test.each([
    '{}',
    '[]',
    'null',
    'true',
    'false',
    '""',
    '0',
    '-0',
    '[-0, 0e0, 0E+1, 1e-999, 1.5, -1.5e3, 123.456e-7]',
    '9007199254740991',
    '-9007199254740991',
    '12345678901234.5678',
    '9007199254740990.9',
    '"\\ud83d\\ude00 😀 \\/ \\" \\\\ \\b\\f\\n\\r\\t \\u00e9"',
    '"\u2028\u2029\u007f\ufeff\uffff"',
    '{"":1,"a":{"":2}}',
    '["\\\\"]',
    '["\\\\\\"", "x"]',
    '{"constructor":"Ltd.","toString":1,"prototype":{},"hasOwnProperty":null}',
    '{"constructor":[{"prototype":1}]}',
    '{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":1}]}',
  ])('for %s', (text) => {
    expect(accept(text)).toEqual(JSON.parse(text))
  })
})

describe('parsing refuses malformed text', () => {
  const malformed = [
    // Names follow the classes of the JSONTestSuite.
    ['n_structure_no_data', ''],
    ['n_single_space', ' '],
    ['n_structure_UTF8_BOM_no_data', '\ufeff'],
    ['i_structure_UTF-8_BOM_empty_object', '\ufeff{}'],
    ['n_array_1_true_without_comma', '[1 true]'],
    ['n_array_colon_instead_of_comma', '["": 1]'],
    ['n_array_comma_after_close', '[""],'],
    ['n_array_comma_and_number', '[,1]'],
    ['n_array_double_comma', '[1,,2]'],
    ['n_array_extra_close', '["x"]]'],
    ['n_array_extra_comma', '["",]'],
    ['n_array_incomplete', '["x"'],
    ['n_array_just_comma', '[,]'],
    ['n_array_just_minus', '[-]'],
    ['n_array_star_inside', '[*]'],
    ['n_array_unclosed_with_new_lines', '[1,\n1\n,1'],
    ['n_incomplete_true', '[tru]'],
    ['n_incomplete_null', '[nul]'],
    ['n_number_++', '[++1234]'],
    ['n_number_+1', '[+1]'],
    ['n_number_+Inf', '[+Inf]'],
    ['n_number_-01', '[-01]'],
    ['n_number_-1.0.', '[-1.0.]'],
    ['n_number_-2.', '[-2.]'],
    ['n_number_-NaN', '[-NaN]'],
    ['n_number_.2e-3', '[.2e-3]'],
    ['n_number_0.3e+', '[0.3e+]'],
    ['n_number_0e', '[0e]'],
    ['n_number_1 000', '[1 000]'],
    ['n_number_1eE2', '[1eE2]'],
    ['n_number_expression', '[1+2]'],
    ['n_number_hex_1_digit', '[0x1]'],
    ['n_number_infinity', '[Infinity]'],
    ['n_number_minus_space_1', '[- 1]'],
    ['n_number_NaN', '[NaN]'],
    ['n_number_neg_int_starting_with_zero', '[-012]'],
    ['n_number_U+FF11_fullwidth_digit_one', '[１]'],
    ['n_number_with_alpha', '[1.2a-3]'],
    ['n_object_bad_value', '["x", truth]'],
    ['n_object_bracket_key', '{[: "x"}'],
    ['n_object_comma_instead_of_colon', '{"x", null}'],
    ['n_object_double_colon', '{"x"::"b"}'],
    ['n_object_emoji', '{🇨🇭}'],
    ['n_object_garbage_at_end', '{"a":"a" 123}'],
    ['n_object_key_with_single_quotes', "{key: 'value'}"],
    ['n_object_lone_continuation', '{"a":"b"}#'],
    ['n_object_missing_key', '{:"b"}'],
    ['n_object_missing_semicolon', '{"a" "b"}'],
    ['n_object_missing_value', '{"a":'],
    ['n_object_non_string_key', '{1:1}'],
    ['n_object_trailing_comma', '{"id":0,}'],
    ['n_object_trailing_comment', '{"a":"b"}/**/'],
    ['n_object_two_commas_in_a_row', '{"a":"b",,"c":"d"}'],
    ['n_object_unterminated-value', '{"a":"a'],
    ['n_single_space_after_key', '{"a" }'],
    ['n_string_1_surrogate_then_escape_u', '["\\uD800\\u"]'],
    ['n_string_1_surrogate_then_escape_u1x', '["\\uD800\\u1x"]'],
    ['n_string_accentuated_char_no_quotes', '[é]'],
    ['n_string_backslash_00', '["\\\0"]'],
    ['n_string_escape_x', '["\\x00"]'],
    ['n_string_escaped_backslash_bad', '["\\\\\\"]'],
    ['n_string_escaped_ctrl_char_tab', '["\\\t"]'],
    ['n_string_incomplete_escape', '["\\"]'],
    ['n_string_incomplete_escaped_character', '["\\u00A"]'],
    ['n_string_invalid_unicode_escape', '["\\uqqqq"]'],
    ['n_string_leading_uescaped_thinspace', '[\\u0020"asd"]'],
    ['n_string_single_quote', "['single quote']"],
    ['n_string_start_escape_unclosed', '["\\'],
    ['n_string_unescaped_ctrl_char', '["a\0a"]'],
    ['n_string_unescaped_newline', '["new\nline"]'],
    ['n_string_unescaped_tab', '["\t"]'],
    ['n_string_unescaped_tab in a key', '{"a\tb":1}'],
    ['n_string_unescaped_tab in an escaped key', '{"a\t\\n":1}'],
    ['n_string_unescaped_tab beside an escape', '["\t\\u00e9"]'],
    ['n_string_unescaped_tab in a long string', `["${'x'.repeat(1000)}\t"]`],
    ['n_structure_angle_bracket', '<.>'],
    ['n_structure_array_with_extra_array_close', '[1]]'],
    ['n_structure_capitalized_True', '[True]'],
    ['n_structure_double_array', '[][]'],
    ['n_structure_end_array', ']'],
    ['n_structure_lone-open-bracket', '['],
    ['n_structure_no-break space', '[\u00a0]'],
    ['n_structure_null-byte-outside-string', '[\0]'],
    ['n_structure_object_with_comment', '{"a":/*comment*/"b"}'],
    ['n_structure_open_object_string_with_apostrophes', "{'a'"],
    ['n_structure_unclosed_object', '{"asd":"asd"'],
    ['n_structure_whitespace_formfeed', '[\f]'],
    ['n_structure_U+2060_word_joined', '[\u2060]'],
  ]
  test.each(malformed)('%s', (_name, text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(problemOf(text)).toMatch(/^The JSON is malformed( at offset \d+)?: [^"]+\.$/)
  })
})

describe('parsing refuses values that the service could not store unchanged', () => {
  test.each([
    ['{"a":1,"a":2}', 'The JSON has a key twice in one object.'],
    ['{"a":1,"\\u0061":2}', 'The JSON has a key twice in one object.'],
    ['{"x":[{"b":1},{"b":{},"c":1,"b":2}]}', 'The JSON has a key twice in one object.'],
    ['{"":1,"":2}', 'The JSON has a key twice in one object.'],
    ['{":":"\\":\\\\",":":""}', 'The JSON has a key twice in one object.'],
    ['{"a":{"b":1},"a":{"b":1}}', 'The JSON has a key twice in one object.'],
    ['{"7":1,"7":2}', 'The JSON has a key twice in one object.'],
    ['1e999', 'The JSON has a number that is too large.'],
    ['{"n":-1e999}', 'The JSON has a number that is too large, at n.'],
    ['[12345678901234567890]', 'The JSON has a whole number beyond 2^53-1, which would lose digits, at [0].'],
    ['9007199254740992', 'The JSON has a whole number beyond 2^53-1, which would lose digits.'],
    ['1e20', 'The JSON has a whole number beyond 2^53-1, which would lose digits.'],
    ['-9007199254740992', 'The JSON has a whole number beyond 2^53-1, which would lose digits.'],
    ['{"settings":{"email":"\\u0000"}}', 'The JSON has a string with a NUL character, at settings.email.'],
    ['{"a":"\\ud800"}', 'The JSON has a string with half a surrogate pair, at a.'],
    ['["\\udc00\\ud800"]', 'The JSON has a string with half a surrogate pair, at [0].'],
    ['{"\\ud800":1}', 'The JSON has a string with half a surrogate pair.'],
    ['{"\\u0000":1}', 'The JSON has a string with a NUL character.'],
    ['["ab\ud800"]', 'The JSON has a string with half a surrogate pair, at [0].'],
  ])('%j', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })

  test('duplicate keys among many', () => {
    const members = Array.from({ length: 50 }, (_, index) => `"k${index}":${index}`)
    expect(accept(`{${members.join()}}`)).toHaveProperty('k49', 49)
    for (const repeated of [0, 6, 7, 8, 9, 49]) {
      expect(problemOf(`{${members.join()},"k${repeated}":0}`)).toContain('key twice')
    }
  })

  test('a whole number of a million digits', () => {
    expect(problemOf('1'.repeat(1_000_000))).toMatch(/too large/)
  })
})

describe('parsing refuses access to prototypes', () => {
  test.each([
    '{"__proto__":{"x":1}}',
    '{"__proto__":null}',
    '{"\\u005f\\u005fproto__":{"x":1}}',
    '{"a":[{"__prot\\u006f__":1}]}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"constructor":{"a":1,"prototype":null}}',
    '{"\\u0063onstructor":{"proto\\u0074ype":{"x":1}}}',
    '{"a":{"constructor":{"prototype":{"x":1}}}}',
  ])('%s', (text) => {
    expect(problemOf(text)).toMatch(/key that is not allowed, at /)
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })
})

describe('parsing has limits', () => {
  test('of depth 32', () => {
    expect(parseJson('['.repeat(32) + ']'.repeat(32)).ok).toBe(true)
    expect(problemOf('['.repeat(33) + ']'.repeat(33))).toMatch(/more than 32 levels deep, at …/)
    expect(problemOf(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toMatch(/more than 32 levels deep/)
  })

  test('that refuse half a million nested arrays and objects without exhausting the stack', () => {
    const count = 500_000
    expect(problemOf('['.repeat(count))).toMatch(/malformed/)
    expect(problemOf('['.repeat(count) + ']'.repeat(count))).toMatch(/levels deep/)
    expect(problemOf(`${'{"a":'.repeat(count)}1${'}'.repeat(count)}`)).toMatch(/levels deep/)
  })

  test('of 10,000 keys in total', () => {
    const object = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`
    expect(parseJson(object(10_000)).ok).toBe(true)
    expect(problemOf(object(10_001))).toMatch(/more than 10000 keys, at k10000\./)
    expect(problemOf(`[${object(6000)},${object(6000)}]`)).toMatch(/more than 10000 keys, at \[.\]\.k.*/)
  })

  test('of 50,000 list items, however nested', () => {
    expect(problemOf(`{"to":[${'1,'.repeat(50_000)}1]}`)).toBe('The JSON has more than 50000 items in lists, at to.')
    expect(problemOf(`[${'[1,2],'.repeat(20_000)}[]]`)).toMatch(/more than 50000 items/)
    expect(accept(`[${'1,'.repeat(49_999)}1]`)).toHaveLength(50_000)
  })

  test('and takes one pass for any number of escapes, quotes or unclosed strings', () => {
    // A pass for each of them would take hours.
    const size = 300_000
    expect(accept(`"${'\\n'.repeat(size)}"`)).toHaveLength(size)
    expect(accept(`"${'\\"'.repeat(size)}"`)).toHaveLength(size)
    expect(problemOf(`[${'"",'.repeat(size)}"\\n"]`)).toMatch(/more than 50000 items/)
    expect(accept(`["${'\\u00e9'.repeat(size)}"]`)).toHaveLength(1)
    expect(accept(`{"a":"${'\\\\'.repeat(size)}"}`)).toHaveProperty('a.length', size)
    expect(problemOf(`"${'\\\\'.repeat(size)}`)).toMatch(/Unterminated string/)
    expect(problemOf(`[${' '.repeat(size)}`)).toMatch(/Unexpected end/)
  })
})

describe('a problem', () => {
  test('echoes at most 40 characters, from the end of the path', () => {
    const long = 'k'.repeat(1000)
    const problem = problemOf(`{"${long}":{"email":"\\u0000"}}`)
    expect(problem).toMatch(/at …k+\.email\.$/)
    expect(problem.match(/…(\S+)\.$/)?.[1].length).toBeLessThan(40)
  })

  test('never contains values', () => {
    for (const text of [
      '{"a":"secret',
      '{"a":secret}',
      '["secret\\u0000"]',
      '["secret\n"]',
      '["x"] secret',
      '[,"secret"]',
      '["secret"}',
    ]) {
      expect(problemOf(text)).not.toContain('secret')
    }
  })

  test('cannot break a log line', () => {
    for (const key of ['a\\nb', 'a\\u001b[31mb', 'a\\u2028b', 'a\\u202eb']) {
      expect(problemOf(`{"${key}":1e999}`)).toMatch(/, at a\?(\[31m)?b\.$/)
    }
  })

  test('stays well-formed when a path is cut inside a character', () => {
    for (const pad of ['', 'x']) expect(problemOf(`{"${'😀'.repeat(50)}${pad}":1e999}`).isWellFormed()).toBe(true)
  })
})

describe('decoding UTF-8', () => {
  test('returns any text, with its byte order mark and NUL', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(decodeUtf8(Buffer.from(`\ufeff${text}\0`))).toBe(`\ufeff${text}\0`)
      }),
    )
    expect(decodeUtf8(new Uint8Array())).toBe('')
  })

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a cut sequence', [0x61, 0xe2, 0x82]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
    ['Latin-1', [0x7b, 0xe9, 0x7d]],
  ])('refuses %s', (_name, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined()
    expect(decodeUtf8(Buffer.from('still works'))).toBe('still works')
  })
})
