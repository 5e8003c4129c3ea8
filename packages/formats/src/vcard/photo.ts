/** Pictures in vCards: base64 in the line itself, a data: URI in version 4, or an address. Pure. */
import type { LineParameter } from '../icalendar/content-lines.ts'
import { parameterOf, typesOf, writtenValue } from './lines.ts'
import { unescapeText } from './values.ts'
import type { VCard } from './vcard.ts'

/** The picture in a card, or its address. */
export type Photo = { base64: string; mediaType: string | undefined } | { url: string }

/** The first picture of a card. Some programs escape the commas and semicolons of a data: URI. */
export function readPhoto(card: VCard): Photo | undefined {
  for (const line of card.named('PHOTO')) {
    const value = writtenValue(line).trim()
    if (value === '') continue
    if (/^data:/i.test(value)) {
      const [, mediaType, data] = /^data:([^;,\\]*)[^,]*,([\s\S]*)$/i.exec(value.replace(/\\n?/gi, '')) ?? []
      if (data) return { base64: data.replace(/\s+/g, ''), mediaType: mediaType?.toLowerCase() || undefined }
    } else if (/^https?:/i.test(value)) return { url: unescapeText(value) }
    else if (/^[A-Za-z0-9+/=\s_-]+$/.test(value)) {
      const [type] = typesOf(line)
      const mediaType = type && (type.includes('/') ? type : `image/${type}`).toLowerCase()
      return { base64: value.replace(/\s+/g, ''), mediaType: mediaType || undefined }
    }
  }
  return undefined
}

/** Whether a card has a picture, or its address, without decoding it. */
export function hasPhoto(card: VCard): boolean | string {
  const line = card.named('PHOTO').find(({ raw }) => raw.length > 'PHOTO:'.length + 2)
  if (line === undefined) return false
  const [address] = /https?:[^\r\n]*/i.exec(line.raw.slice(0, 200)) ?? []
  if (address === undefined) return true
  const photo = readPhoto(card)
  return photo !== undefined && 'url' in photo ? photo.url : photo !== undefined
}

function photoProperty(version: string, dataUri: string): { parameters: LineParameter[]; value: string } {
  if (version === '4.0') return { parameters: [], value: dataUri }
  const [, subtype = 'jpeg', base64 = ''] = /^data:image\/([a-z]+);base64,(.*)$/s.exec(dataUri) ?? []
  const encoding = { name: 'ENCODING', text: version === '2.1' ? 'BASE64' : 'b' }
  return { parameters: [parameterOf('TYPE', subtype.toUpperCase()), encoding], value: base64 }
}

/** Replaces all pictures with one, given as a data: URI, or removes them. */
export function setPhoto(card: VCard, dataUri: string | null): void {
  const [first, ...others] = card.named('PHOTO')
  for (const line of others) card.remove(line)
  if (dataUri === null) {
    if (first) card.remove(first)
    return
  }
  const property = { name: 'PHOTO', ...photoProperty(card.version, dataUri) }
  if (first) card.replace(first, { group: first.group, ...property })
  else card.add(property)
}
