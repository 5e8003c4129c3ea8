/** Headers as Gmail returns them: mostly decoded already, so that encoded text looks like plain text. */

import { assembleMessage } from '@waypost/formats/mime/mime'
import { expect, test } from 'vitest'
import { headerBlock, structureOf } from '../../src/google/gmail/mapping/part.ts'

const read = (headers: Record<string, string>) =>
  assembleMessage({
    header: headerBlock(Object.entries(headers).map(([name, value]) => ({ name, value }))),
    structure: structureOf({ mimeType: 'text/plain', partId: '' }),
    texts: [],
  })

test.each([
  ['"victim@bank.example" <evil@x.example>', 'victim@bank.example'],
  ['victim@bank.example <evil@x.example>', 'victim@bank.example'],
  ['"Bank <victim@bank.example>" <evil@x.example>', 'Bank <victim@bank.example>'],
  ['Bank <victim@bank.example> <evil@x.example>', 'Bank <victim@bank.example>'],
  ['=?utf-8?B?dmljdGltQGJhbmsuZXhhbXBsZQ==?= <evil@x.example>', 'victim@bank.example'],
  ['銀行 victim@bank.example <evil@x.example>', '銀行 victim@bank.example'],
])('a name with an address in it stays a name: %s', (from, name) => {
  expect(read({ From: from }).from).toEqual([{ name, email: 'evil@x.example' }])
})

test('encoded words that remain are decoded, even next to decoded characters', () => {
  const subject = '=?iso-2022-jp?B?GyRCJDMbKEI=?= =?iso-2022-jp?B?GyRCJHMbKEI=?='
  expect(read({ Subject: subject }).subject).toBe('こん')
  expect(read({ Subject: '=?iso-8859-1?Q?grün?=' }).subject).toBe('grün')
})
