import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { beginElement, decodedElement } from '../../src/ews/soap/download.ts'

const file = randomBytes(1_000)
const around = (content: string): string => `<m:Answer><t:Name>Content</t:Name>${content}<t:More/></m:Answer>`

/** The file in a response that arrives in chunks of this size. */
async function readIn(answer: string, size: number): Promise<Buffer | 'none'> {
  const pieces = piecesOf(Buffer.from(answer), size)
  const begun = await beginElement(pieces, 'Content')
  if (!begun.isFound) return begun.answer.toString() === answer ? 'none' : Buffer.from('another answer')
  const read: Buffer[] = []
  for await (const piece of decodedElement(pieces, begun.rest)) read.push(piece)
  return Buffer.concat(read)
}

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

describe('a file within a response', () => {
  const base64 = file.toString('base64')
  const forms = {
    'in one line': `<t:Content>${base64}</t:Content>`,
    'in several lines': `<t:Content>\r\n${base64.replaceAll(/.{76}/g, '$&\r\n')}\r\n</t:Content>`,
    'with attributes and no prefix': `<Content CharacterSet="UTF-8">${base64}</Content>`,
  }
  test.each(Object.entries(forms))('is read %s, however it is split into chunks', async (_, content) => {
    for (const size of [1, 2, 3, 5, 7, 64, 999, 100_000]) {
      expect(await readIn(around(content), size), `${size}`).toEqual(file)
    }
  })

  test('is empty, or missing, with the reason in the whole response', async () => {
    expect(await readIn(around('<t:Content></t:Content>'), 4)).toHaveLength(0)
    for (const content of ['<t:Content/>', '<t:ContentId>x</t:ContentId>', '']) {
      expect(await readIn(around(content), 4), content).toBe('none')
    }
  })

  test('that is truncated or not base64 fails', async () => {
    await expect(readIn(`<m:Answer><t:Content>${base64}`, 64)).rejects.toThrow('cut off')
    await expect(readIn(around('<t:Content>AAAA*AAA</t:Content>'), 64)).rejects.toThrow('no base64')
    await expect(readIn(`<m:Answer>${' '.repeat(1_100_000)}`, 65_536)).rejects.toThrow('too long')
  })
})
