/** Difficult vCards: their parsed content, and the effect of a change. */
import type { CardChange } from '../../src/vcard/changes.ts'
import type { CardContact } from '../../src/vcard/contact.ts'

export interface DifficultCard {
  what: string
  /** The card, with CRLF. */
  text: string
  /** The parsed content. */
  facts: Partial<CardContact> & {
    categories?: string[]
    uid?: string
    isGroup?: boolean
    members?: string[]
    photo?: string
  }
  /** A change, and the lines that it removes and adds; without folds. */
  change?: { fields: CardChange; gone?: string[]; come?: string[] }
}

/** The text of a card from its lines. */
export const cardText = (lines: string, end = '\r\n'): string => lines.replace(/^\n/, '').replaceAll('\n', end)

/** A card of version 3 with some lines. */
export const three = (lines: string): string =>
  cardText(`
BEGIN:VCARD
VERSION:3.0
${lines.trim()}
END:VCARD
`)
export const four = (lines: string): string => three(lines).replace('VERSION:3.0', 'VERSION:4.0')
export const old = (lines: string): string => three(lines).replace('VERSION:3.0', 'VERSION:2.1')

/** The smallest pictures. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
