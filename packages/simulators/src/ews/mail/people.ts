// The mailboxes of people in messages.
import type { Recipient } from '../../shared/mail/content.ts'
import { directoryName } from '../directory/entries.ts'
import type { EwsCall } from '../model.ts'
import { schemaViolation } from '../soap/errors.ts'
import { childOf, childrenOf, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

/** `<t:Mailbox>`; in found lists it contains only the name. */
export function mailboxXml(call: EwsCall, { name, address }: Recipient, found = false): Xml {
  if (found) return element('t:Mailbox', [element('t:Name', name || address)])
  const known = call.world.findAccount(address)
  if (known !== undefined && call.world.oddities.namesByDirectory === true) {
    return element('t:Mailbox', [
      element('t:Name', known.name),
      element('t:EmailAddress', directoryName(known)),
      element('t:RoutingType', 'EX'),
      element('t:MailboxType', 'Mailbox'),
    ])
  }
  return element('t:Mailbox', [
    element('t:Name', name || address),
    element('t:EmailAddress', address),
    element('t:RoutingType', 'SMTP'),
    element('t:MailboxType', known === undefined ? 'OneOff' : 'Mailbox'),
  ])
}

/** An element such as `From`, with one mailbox; undefined if there is none. */
export function personXml(call: EwsCall, tag: string, person: Recipient | undefined, found: boolean): Xml | undefined {
  return person && element(tag, [mailboxXml(call, person, found)])
}

/** An element such as `ToRecipients`; undefined if there are no people. */
export function peopleXml(call: EwsCall, tag: string, people: readonly Recipient[]): Xml | undefined {
  if (people.length === 0) return undefined
  return element(
    tag,
    people.map((person) => mailboxXml(call, person)),
  )
}

/** The mailboxes in an element such as `ToRecipients`. */
export function readPeople(call: EwsCall, written: XmlNode): Recipient[] {
  return childrenOf(written, 'Mailbox').map((mailbox) => readMailbox(call, mailbox))
}

/** The mailbox in an element such as `From`. */
export function readPerson(call: EwsCall, written: XmlNode): Recipient {
  const mailbox = childOf(written, 'Mailbox')
  if (mailbox === undefined) throw schemaViolation(`The element '${written.name}' has incomplete content.`)
  return readMailbox(call, mailbox)
}

/** A name without an address is resolved in the directory. */
function readMailbox({ world }: EwsCall, node: XmlNode): Recipient {
  const name = textOf(node, 'Name') ?? ''
  const address = textOf(node, 'EmailAddress') ?? ''
  const known = address === '' ? world.accounts().find((account) => account.name === name) : world.findAccount(address)
  const found = address === '' ? (known?.email ?? '') : address
  return { name: name || known?.name || found, address: found }
}
