// The types that the parts of the simulated Exchange share. They refer to each other and are therefore in one file.
import type { SearchedMessage } from '../shared/mail/keyword-query.ts'
import type { DirectoryEntry } from './directory/entries.ts'
import type { MailboxEvent } from './events.ts'
import type { Oddities } from './oddities.ts'
import type { Account } from './owner.ts'
import type { Schema, ServerVersion } from './soap/versions.ts'
import type { ExtendedPath } from './store/extended.ts'
import type { StoredFolder, StoredItem, StoredType } from './store/stored.ts'
import type { XmlNode } from './xml/read.ts'
import type { Xml } from './xml/write.ts'

export interface World {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  readonly server: ServerVersion
  now(): number
  accounts(): Account[]
  /** All directory entries of the organization. */
  directory(): DirectoryEntry[]
  /** Finds an account by primary address or alias. */
  findAccount(address: string): Account | undefined
  findAccountById(id: string): Account | undefined
  readonly registry: Registry
  readonly oddities: Oddities
  /** Whether an intermediary passes on only complete responses, as some proxies do. */
  readonly holdsStreams: boolean
  /** Sync states with another number are invalid. */
  syncEpoch(): number
  /** Reports an event to subscriptions. The mailbox calls it for everything it stores. */
  tell(event: MailboxEvent): void
  /** Ends the subscriptions of one mailbox, or all. */
  endSubscriptions(mailbox?: string): void
  /** Runs work after the delay that Exchange needs for it; `simulator.settled()` waits for it. */
  later(work: () => void): void
}

export interface EwsCall {
  readonly world: World
  /** Such as `GetItem`. */
  readonly operation: string
  /** The request element. */
  readonly request: XmlNode
  /** The header of the envelope; undefined if there is none. */
  readonly header: XmlNode | undefined
  /** The acting account: the authenticated or the impersonated user. */
  readonly account: Account
  /** The schema version that the request asks for. */
  readonly schema: Schema
  /** The Windows id of `TimeZoneContext`; UTC if there is none. */
  readonly zone: string
  /** Whether times include milliseconds (`DateTimePrecision`); otherwise they are precise to the second. */
  readonly milliseconds: boolean
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

export type Handler = (call: EwsCall) => Answered | Promise<Answered>
type Answered = Xml | EnvelopeStream

export interface ExchangePart {
  /** Keyed by the name of the request element. */
  readonly operations: Readonly<Record<string, Handler>>
  /** Operations introduced after Exchange 2007. */
  readonly since?: Readonly<Record<string, Schema>>
  readonly itemTypes?: readonly ItemType[]
  /** Response objects of `CreateItem`, such as `AcceptItem`, keyed by element name; they return the stored items. */
  readonly responses?: Readonly<
    Record<string, (call: EwsCall, written: XmlNode, folder: StoredFolder | undefined) => StoredItem[]>
  >
  /** Ids other than `ItemId`, such as `OccurrenceItemId`, keyed by element name. */
  readonly itemIds?: Readonly<Record<string, (call: EwsCall, id: XmlNode) => StoredItem>>
  /** Resolves a name among the user's own data, such as contacts. */
  resolveNames?(call: EwsCall, entry: string): ResolvedName[]
  /** Special views of `FindItem`, such as `CalendarView`, keyed by element name; they return the rows in order. */
  readonly views?: Readonly<Record<string, (call: EwsCall, folder: StoredFolder, view: XmlNode) => StoredItem[]>>
}

/** A candidate for a name. */
export interface ResolvedName {
  readonly email: string
  readonly name: string
  readonly kind: 'Mailbox' | 'PublicDL' | 'PrivateDL' | 'Contact'
  /** `<t:ItemId>` of a contact of the user. */
  readonly itemId?: Xml
  /** `<t:Contact>` with all available data. */
  contact?(): Xml
}

/** A sequence of responses, each in its own envelope. */
export interface EnvelopeStream {
  readonly envelopes: AsyncIterable<Xml>
}

export interface Registry extends Required<Omit<ExchangePart, 'itemTypes' | 'resolveNames'>> {
  readonly resolveNames: readonly NonNullable<ExchangePart['resolveNames']>[]
  readonly itemTypes: readonly ItemType[]
  operation(name: string): { readonly handle: Handler; readonly since: Schema } | undefined
  /** The type of an item class, by longest prefix. */
  typeOfClass(itemClass: string): ItemType | undefined
  /** The type of an item. */
  typeOf(item: StoredItem): ItemType
  /** The type of an element in `CreateItem`. */
  typeOfElement(element: string): ItemType | undefined
}

/** The smallest base shape that contains a field; `asked` is in none, so the field must be requested by name. */
export type ShapeName = 'IdOnly' | 'Default' | 'AllProperties' | 'asked'

/** The value for restrictions and sort orders: times in milliseconds, binary values as base64. */
export type FieldValue = string | number | boolean | readonly string[] | undefined

export interface WriteContext {
  readonly call: EwsCall
  readonly shape: ItemShape
  /**
   * True for `FindItem` and `SyncFolderItems`, which return less: strings of at most 255 characters, and people only
   * by name.
   */
  readonly found: boolean
  /** The entries that `IndexedFieldURI`s name, unless the whole field is requested. */
  readonly entries: readonly IndexedPath[] | undefined
}

export interface IndexedPath {
  /** Such as `contacts:EmailAddress`. */
  readonly uri: string
  /** Such as `EmailAddress1`. */
  readonly index: string
}

// A field's functions use method syntax, so that fields of one type fit into lists of mixed types.
export interface Field<Content = unknown> {
  /** Such as `item:Subject`. */
  readonly uri: string
  /** The `FieldURI` values of `IndexedFieldURI`s that name its entries. */
  readonly indexedUris?: readonly string[]
  /** Such as `Subject`. */
  readonly name: string
  readonly shape: ShapeName
  /** `FindItem` and `SyncFolderItems` do not return it. */
  readonly onlyGet?: boolean
  readonly since?: Schema
  write(item: StoredItem<Content>, context: WriteContext): Xml | undefined
  /** Without it, restrictions and sort orders cannot name the field. */
  value?(item: StoredItem<Content>): FieldValue
  /** The value of an entry that an `IndexedFieldURI` names. */
  entryValue?(item: StoredItem<Content>, entry: IndexedPath): FieldValue
  /** For `CreateItem` and `SetItemField`, with the written element; without it the field is read-only. */
  set?(item: StoredItem<Content>, written: XmlNode, change: ChangeContext): void
  append?(item: StoredItem<Content>, written: XmlNode, change: ChangeContext): void
  remove?(item: StoredItem<Content>, change: ChangeContext): void
}

export interface ChangeContext {
  readonly call: EwsCall
  /** The entry that an `IndexedFieldURI` names. */
  readonly entry: IndexedPath | undefined
}

export type DeleteType = 'HardDelete' | 'SoftDelete' | 'MoveToDeletedItems'

/** An item type, defined by its part: its fields, and special behavior at creation and change. */
export interface ItemType<Content = unknown> extends StoredType<Content> {
  /** All fields of the element, in any order, including `frameFields`. */
  readonly fields: readonly Field<Content>[]
  /** The content of an empty item, for types that can be created and attached. */
  empty?(): Content
  /** The data that `QueryString` searches; default: the subject. */
  searched?(item: StoredItem<Content>): SearchedMessage
  /** `CreateItem` of this element; returns the stored items, none if the item was only sent. */
  create?(call: EwsCall, written: XmlNode, folder: StoredFolder | undefined): StoredItem[]
  /**
   * Called after `UpdateItem` has set the fields; `uris` are the fields it named, `before` is the previous content.
   * If it throws, the update is undone. Default: the change is recorded.
   */
  updated?(call: EwsCall, item: StoredItem<Content>, uris: ReadonlySet<string>, before: Content): void
  /** Called after a client has marked an item as read or unread. */
  markedRead?(call: EwsCall, item: StoredItem<Content>): void
  /** Replaces the default move or removal of `DeleteItem`. */
  remove?(call: EwsCall, item: StoredItem<Content>, deleteType: DeleteType): void
  /** The item of an id with data after its entry id, such as an occurrence of a series. */
  expand?(item: StoredItem<Content>, extra: Buffer): StoredItem
}

export type BaseShape = 'IdOnly' | 'Default' | 'AllProperties'

/** The item or folder fields that a request names. */
export interface Paths {
  readonly uris: ReadonlySet<string>
  readonly indexed: readonly IndexedPath[]
  readonly extended: readonly ExtendedPath[]
}

export interface ItemShape extends Paths {
  readonly base: BaseShape
  readonly includeMimeContent: boolean
  /** The requested form of bodies; `Best` leaves them unchanged. */
  readonly bodyType: 'Best' | 'HTML' | 'Text'
  /** The element itself, for its other options (`UniqueBodyType`, `MaximumBodySize`, …). */
  readonly node: XmlNode | undefined
}
