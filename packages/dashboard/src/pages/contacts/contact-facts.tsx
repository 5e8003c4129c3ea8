/** The details of one contact, row by row. */
import type { Contact, ContactGroup } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Facts } from '../../components/page.tsx'
import { webAddress } from '../../foreign-text.ts'
import { initialsOf, nameOf, pictureOf } from './names.ts'

export function Portrait({ contact, large = false }: { contact: Contact; large?: boolean }) {
  const picture = pictureOf(contact)
  return (
    <span className={`portrait ${large ? 'large' : ''}`} aria-hidden="true">
      {picture ? <img src={picture} alt="" /> : initialsOf(nameOf(contact))}
    </span>
  )
}

function Values({ values }: { values: readonly { text: ReactNode; type?: string | null | undefined }[] }) {
  return (
    <ul>
      {values.map(({ text, type }, index) => (
        <li key={index} className="wrap">
          {text}
          {type && <span className="quiet small"> {type}</span>}
        </li>
      ))}
    </ul>
  )
}

function Page({ url }: { url: string }) {
  const href = webAddress(url)
  return href ? (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  ) : (
    url
  )
}

const addressLines = ({ street_address, postal_code, city, state, country }: Contact['physical_addresses'][number]) =>
  [street_address, [postal_code, city].filter(Boolean).join(' '), state, country].filter(Boolean).join(', ')

function rowsOf(contact: Contact, groups: readonly ContactGroup[]): [string, ReactNode][] {
  const named = contact.groups.map(({ id }) => groups.find((group) => group.id === id)?.name ?? id)
  const lists: [string, readonly { text: ReactNode; type?: string | null | undefined }[]][] = [
    ['Addresses', contact.emails.map(({ email, type }) => ({ text: email, type }))],
    ['Telephone', contact.phone_numbers.map(({ number, type }) => ({ text: number, type }))],
    ['Messaging', contact.im_addresses.map(({ im_address, type }) => ({ text: im_address, type }))],
    ['Postal addresses', contact.physical_addresses.map((place) => ({ text: addressLines(place), type: place.type }))],
    ['Websites', contact.web_pages.map(({ url, type }) => ({ text: <Page url={url} />, type }))],
    ['Groups', named.map((text) => ({ text }))],
  ]
  const texts: [string, string | null][] = [
    ['Nickname', contact.nickname],
    ['Company', contact.company_name],
    ['Job title', contact.job_title],
    ['Manager', contact.manager_name],
    ['Office', contact.office_location],
    ['Birthday', contact.birthday?.replace(/^0000-/, '') ?? null],
  ]
  return [
    ...lists
      .filter(([, values]) => values.length > 0)
      .map(([label, values]): [string, ReactNode] => [label, <Values key={label} values={values} />]),
    ...texts.filter(([, text]) => text).map(([label, text]): [string, ReactNode] => [label, text]),
  ]
}

export function ContactFacts({ contact, groups }: { contact: Contact; groups: readonly ContactGroup[] }) {
  return (
    <>
      <Facts rows={rowsOf(contact, groups)} />
      {contact.notes && <p className="contact-notes wrap">{contact.notes}</p>}
    </>
  )
}
