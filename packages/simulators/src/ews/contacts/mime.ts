// The MIME of a contact, which is a vCard (RFC 2426).

import { bodyAsText } from '../shapes/said-fields.ts'
import { EwsError } from '../soap/errors.ts'
import { isSince } from '../soap/versions.ts'
import { element } from '../xml/write.ts'
import type { ContactContent } from './content.ts'
import type { ContactField } from './fields.ts'
import { fileAs } from './names.ts'

const PHONES: Readonly<Record<string, string>> = {
  HomePhone: 'HOME,VOICE',
  BusinessPhone: 'WORK,VOICE',
  MobilePhone: 'CELL',
  HomeFax: 'HOME,FAX',
  BusinessFax: 'WORK,FAX',
  Pager: 'PAGER',
}

const escaped = (text = ''): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')
const joined = (...parts: (string | undefined)[]): string => parts.map(escaped).join(';')
const line = (name: string, value: string): string[] => (value.replaceAll(';', '') === '' ? [] : [`${name}:${value}`])

export function vCard(content: ContactContent): string {
  const { texts, emails, phones, addresses, times, text } = content
  const birthday = times.Birthday === undefined ? '' : new Date(times.Birthday).toISOString().slice(0, 10)
  const lines = [
    'BEGIN:VCARD',
    'PROFILE:VCARD',
    'VERSION:3.0',
    `FN:${escaped(texts.DisplayName ?? fileAs(content))}`,
    `N:${joined(texts.Surname, texts.GivenName, texts.MiddleName, '', texts.Generation)}`,
    ...Object.values(emails).map(({ address }) => `EMAIL;TYPE=INTERNET:${escaped(address)}`),
    ...Object.entries(phones).map(([key, number]) => `TEL;TYPE=${PHONES[key] ?? 'VOICE'}:${escaped(number)}`),
    ...Object.entries(addresses).map(
      ([key, { Street, City, State, PostalCode, CountryOrRegion }]) =>
        `ADR;TYPE=${key === 'Business' ? 'WORK' : 'HOME'}:;;${joined(Street, City, State, PostalCode, CountryOrRegion)}`,
    ),
    ...line('ORG', joined(texts.CompanyName, texts.Department)),
    ...line('TITLE', escaped(texts.JobTitle)),
    ...line('NICKNAME', escaped(texts.Nickname)),
    ...line('BDAY', birthday),
    ...line('NOTE', escaped(bodyAsText(text.body))),
    'END:VCARD',
  ]
  return `${lines.join('\r\n')}\r\n`
}

/** Servers before 2013 cannot generate it. */
export const mimeField: ContactField = {
  uri: 'item:MimeContent',
  name: 'MimeContent',
  shape: 'asked',
  onlyGet: true,
  write({ content }, { call }) {
    if (!isSince(call.world.server.schema, 'Exchange2013')) {
      throw new EwsError('ErrorUnsupportedMimeConversion', 'The conversion of the item to MIME is not supported.')
    }
    return element('t:MimeContent', { CharacterSet: 'UTF-8' }, Buffer.from(vCard(content)).toString('base64'))
  },
}
