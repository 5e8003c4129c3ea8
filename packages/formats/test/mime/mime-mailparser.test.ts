/** Compares standards-compliant mail with another parser, because there is one right answer. */
import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { parseMessage } from '../../src/mime/mime.ts'
import { difficultMail } from './difficult-mail.ts'

const compared = difficultMail.filter(({ wellFormed }) => wellFormed)

/** It replaces references by the images themselves. */
const trimmed = (text: string | false | undefined): string =>
  (text === false ? '' : (text ?? '')).replaceAll(/"(?:cid|data):[^"]*"/g, '"picture"').trim()

describe('well-formed mail is parsed as mailparser parses it', () => {
  test('in many kinds', () => expect(compared.length).toBeGreaterThan(30))

  for (const { name, source } of compared) {
    test(name, async () => {
      const ours = parseMessage(source)
      const theirs = await simpleParser(source)
      expect(ours.subject).toBe(theirs.subject ?? '')
      expect(trimmed(ours.body)).toBe(trimmed(ours.isHtml ? theirs.html : theirs.text))
      expect(ours.from.map(({ email }) => email)).toEqual(theirs.from?.value.map(({ address }) => address))
      expect(ours.attachments.map(({ type, filename, size }) => ({ type, filename, size }))).toEqual(
        theirs.attachments.map(({ contentType, filename, content }) => ({
          type: contentType,
          filename: filename ?? null,
          size: content.length,
        })),
      )
    })
  }
})
