// Mail delivery between the accounts of the simulator: to the Inbox, or back to the sender.
import { randomBytes } from 'node:crypto'
import { bounceMime } from '../../shared/mail/bounce.ts'
import type { Recipient } from '../../shared/mail/content.ts'
import { prependFields, removeField } from '../../shared/mail/raw-headers.ts'
import { detachedItem, storeDetached } from '../items/detached.ts'
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import type { StoredFolder, StoredItem, StoredType } from '../store/stored.ts'
import { classOfMime } from './classes.ts'
import { emptyMail, type MailContent, type MailItem, type MessageText } from './content.ts'
import { conversationFor } from './conversation-ids.ts'
import { headerProperties } from './headers.ts'
import { isMailItem } from './mail-items.ts'
import { takeMime } from './mime-content.ts'

const SERVER = 'EX01.exchange.example'

export function newMessageId({ email }: Pick<Account, 'email'>): string {
  return `<${randomBytes(16).toString('hex')}@${domainOf(email)}>`
}

export const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1).toLowerCase()

export const mailDate = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000')

export interface Arriving<Content extends MailContent> {
  readonly type: StoredType<Content>
  readonly content: Content
  readonly itemClass?: string
  /** Default the Inbox. */
  readonly folder?: StoredFolder
  /** Milliseconds; default now. */
  readonly at?: number
  /** Default false. */
  readonly isRead?: boolean
}

/** Delivers a mail item: a message, or an item that another part sends. */
export function deliverItem<Content extends MailContent>(
  { mailbox }: Pick<Account, 'mailbox'>,
  {
    type,
    content,
    itemClass = type.itemClass,
    folder = mailbox.folders.standard('inbox'),
    at,
    isRead,
  }: Arriving<Content>,
): StoredItem<Content> {
  content.conversation ??= conversationFor(mailbox, content.text)
  const item = detachedItem(type, content, folder)
  Object.assign(item, { itemClass, isRead: isRead ?? false, receivedAt: at ?? mailbox.now() })
  for (const [key, value] of headerProperties(content.text)) item.extended.set(key, value)
  return storeDetached(item, folder, { isNewMail: folder.wellKnownName === 'inbox' })
}

/** The content of a message received as MIME. */
export function receivedMail(raw: Uint8Array, now: number): MailContent {
  const content = emptyMail()
  takeMime(content, raw, now)
  return Object.assign(content, { isDraft: false, hasTransportHeaders: true })
}

export interface Outgoing {
  readonly text: MessageText
  /** The complete message, with Bcc. */
  readonly wire: Uint8Array
  /** The type of the delivered item. */
  readonly type: StoredType<MailContent>
  readonly itemClass?: string | undefined
}

/** Delivers a message to its recipients in the simulator, and bounces unknown addresses to the sender. */
export function carry(world: World, sender: Account, { text, wire, type, itemClass }: Outgoing): void {
  const addresses = [...new Set(recipientsOf(text).map(({ address }) => address.toLowerCase()))]
  const raw = prependFields(removeField(wire, 'bcc'), [
    `Received: from ${SERVER} (10.0.0.1) by EX02.exchange.example (10.0.0.2) with Microsoft SMTP Server; ${mailDate(world.now())}`,
    `Return-Path: ${sender.email}`,
    'X-MS-Exchange-Organization-AuthAs: Internal',
    'X-MS-Exchange-Organization-AuthSource: EX01.exchange.example',
  ])
  for (const account of new Set(addresses.map((address) => world.findAccount(address)))) {
    if (account === undefined) continue
    const content = receivedMail(raw, world.now())
    content.isFromMe = account === sender
    deliverItem(account, {
      type,
      content,
      itemClass: itemClass === undefined || itemClass === type.itemClass ? classOfMime(raw) : itemClass,
    })
  }
  for (const address of addresses) if (isUnknown(world, address)) bounce(world, sender, { text, type, address })
}

export const recipientsOf = ({ to, cc, bcc }: MessageText): Recipient[] => [...to, ...cc, ...bcc]

/** Whether no account has the address, although its domain is one of the server's own. */
function isUnknown(world: World, address: string): boolean {
  if (world.findAccount(address) !== undefined) return false
  return world.accounts().some(({ email }) => domainOf(email) === domainOf(address))
}

interface Bounced {
  readonly text: MessageText
  readonly type: StoredType<MailContent>
  readonly address: string
}

function bounce(world: World, sender: Account, { text, type, address }: Bounced): void {
  const raw = bounceMime({
    from: {
      name: 'Microsoft Outlook',
      address: `MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@${domainOf(sender.email)}`,
    },
    to: sender.email,
    server: SERVER,
    messageId: newMessageId(sender),
    at: world.now(),
    failed: { subject: text.subject, internetMessageId: text.internetMessageId, address },
  })
  deliverItem(sender, { type, content: receivedMail(raw, world.now()), itemClass: 'REPORT.IPM.Note.NDR' })
}

/** The mail of a mailbox, newest first. */
export function mailOf({ mailbox }: Pick<Account, 'mailbox'>): MailItem[] {
  return mailbox
    .items()
    .filter(isMailItem)
    .toSorted((left, right) => right.receivedAt - left.receivedAt || right.number - left.number)
}
