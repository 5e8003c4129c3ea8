// What the parts of the simulated Exchange are made of and share. The types name each other, and so stand together.
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
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  readonly url: string
  readonly server: ServerVersion
  now(): number
  accounts(): Account[]
  /** Everybody whom the organization knows. */
  directory(): DirectoryEntry[]
  /** By primary address or alias. */
  findAccount(address: string): Account | undefined
  findAccountById(id: string): Account | undefined
  readonly registry: Registry
  readonly oddities: Oddities
  /** Whether something between here and the client hands on whole answers alone, as some proxies do. */
  readonly holdsStreams: boolean
  /** Sync states that have another number than this are not taken any more. */
  syncEpoch(): number
  /** A part says what happened: subscriptions are told. The mailbox does it for what it stores. */
  tell(event: MailboxEvent): void
  /** Ends the subscriptions of one mailbox, or of all. */
  endSubscriptions(mailbox?: string): void
  /** Does something after the time that Exchange takes for it; `simulator.settled()` waits for it. */
  later(work: () => void): void
}

export interface EwsCall {
  readonly world: World
  /** Such as `GetItem`. */
  readonly operation: string
  /** The element of that name. */
  readonly request: XmlNode
  /** The header of the envelope; undefined where there is none. */
  readonly header: XmlNode | undefined
  /** In whose name it is done: who signed in, or who is impersonated. */
  readonly account: Account
  /** What the request wants to be spoken. */
  readonly schema: Schema
  /** The Windows id of `TimeZoneContext`; UTC where there is none. */
  readonly zone: string
  /** Whether times are written with milliseconds (`DateTimePrecision`); else they end with the second. */
  readonly milliseconds: boolean
  /** Ends when the client is gone. */
  readonly signal: AbortSignal
}

export type Handler = (call: EwsCall) => Answered | Promise<Answered>
type Answered = Xml | EnvelopeStream

export interface ExchangePart {
  /** By the name of the request element. */
  readonly operations: Readonly<Record<string, Handler>>
  /** Operations that came later than Exchange 2007. */
  readonly since?: Readonly<Record<string, Schema>>
  readonly itemTypes?: readonly ItemType[]
  /** Response objects of `CreateItem`, such as `AcceptItem`, by the name of the element; they answer what is stored. */
  readonly responses?: Readonly<
    Record<string, (call: EwsCall, written: XmlNode, folder: StoredFolder | undefined) => StoredItem[]>
  >
  /** Ids other than `ItemId`, such as `OccurrenceItemId`, by the name of the element. */
  readonly itemIds?: Readonly<Record<string, (call: EwsCall, id: XmlNode) => StoredItem>>
  /** Whom a name stands for among what the user has, such as contacts. */
  resolveNames?(call: EwsCall, entry: string): ResolvedName[]
  /** `FindItem` with a view of its own, such as `CalendarView`, by the name of the element: the rows, in order. */
  readonly views?: Readonly<Record<string, (call: EwsCall, folder: StoredFolder, view: XmlNode) => StoredItem[]>>
}

/** Whom a name may stand for. */
export interface ResolvedName {
  readonly email: string
  readonly name: string
  readonly kind: 'Mailbox' | 'PublicDL' | 'PrivateDL' | 'Contact'
  /** `<t:ItemId>` of a contact of the user. */
  readonly itemId?: Xml
  /** `<t:Contact>` with all that is known. */
  contact?(): Xml
}

/** Answers that come one after the other, each in an envelope of its own. */
export interface EnvelopeStream {
  readonly envelopes: AsyncIterable<Xml>
}

export interface Registry extends Required<Omit<ExchangePart, 'itemTypes' | 'resolveNames'>> {
  readonly resolveNames: readonly NonNullable<ExchangePart['resolveNames']>[]
  readonly itemTypes: readonly ItemType[]
  operation(name: string): { readonly handle: Handler; readonly since: Schema } | undefined
  /** The type of an item class, by its longest beginning. */
  typeOfClass(itemClass: string): ItemType | undefined
  /** The type of an item. */
  typeOf(item: StoredItem): ItemType
  /** The type that an element of `CreateItem` is for. */
  typeOfElement(element: string): ItemType | undefined
}

/** The smallest base shape that has a field; `asked` is in none, and given where it is named alone. */
export type ShapeName = 'IdOnly' | 'Default' | 'AllProperties' | 'asked'

/** What a restriction compares and a list is sorted by: times in milliseconds, binary values as base64. */
export type FieldValue = string | number | boolean | readonly string[] | undefined

export interface WriteContext {
  readonly call: EwsCall
  readonly shape: ItemShape
  /** For `FindItem` and `SyncFolderItems`, which give less: strings end after 255 characters, people have only their names. */
  readonly found: boolean
  /** Where `IndexedFieldURI`s name entries of the field and nothing asks for all of it: those. */
  readonly entries: readonly IndexedPath[] | undefined
}

export interface IndexedPath {
  /** Such as `contacts:EmailAddress`. */
  readonly uri: string
  /** Such as `EmailAddress1`. */
  readonly index: string
}

// The methods of a field are written as methods, so that a field of one type may stand in the list of many.
export interface Field<Content = unknown> {
  /** Such as `item:Subject`. */
  readonly uri: string
  /** The `FieldURI`s of `IndexedFieldURI`s that name entries of it. */
  readonly indexedUris?: readonly string[]
  /** Such as `Subject`. */
  readonly name: string
  readonly shape: ShapeName
  /** `FindItem` and `SyncFolderItems` do not give it. */
  readonly onlyGet?: boolean
  readonly since?: Schema
  write(item: StoredItem<Content>, context: WriteContext): Xml | undefined
  /** Without it no restriction and no sort order may name the field. */
  value?(item: StoredItem<Content>): FieldValue
  /** The same of an entry that an `IndexedFieldURI` names. */
  entryValue?(item: StoredItem<Content>, entry: IndexedPath): FieldValue
  /** `CreateItem` and `SetItemField`, with the element that was written; without it the field is read-only. */
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

/** A type of items, as the part that has it describes it: its fields, and what is special when one is made or changed. */
export interface ItemType<Content = unknown> extends StoredType<Content> {
  /** Every field of the element, in any order; `frameFields` are among them. */
  readonly fields: readonly Field<Content>[]
  /** The content of an item that nobody has written anything of yet: such items can be made, and be inside of others. */
  empty?(): Content
  /** What `QueryString` looks at; default: the subject. */
  searched?(item: StoredItem<Content>): SearchedMessage
  /** `CreateItem` of this element; answers what is stored, nothing where it was only sent. */
  create?(call: EwsCall, written: XmlNode, folder: StoredFolder | undefined): StoredItem[]
  /**
   * After `UpdateItem` has set the fields; `uris` are those that it named, `before` is what the item was. What it refuses is
   * taken back. Default: the change is recorded.
   */
  updated?(call: EwsCall, item: StoredItem<Content>, uris: ReadonlySet<string>, before: Content): void
  /** After a client has marked an item as read or unread. */
  markedRead?(call: EwsCall, item: StoredItem<Content>): void
  /** Instead of `DeleteItem`'s moving or removing. */
  remove?(call: EwsCall, item: StoredItem<Content>, deleteType: DeleteType): void
  /** What an id names that has something behind its entry id, such as an occurrence of a series. */
  expand?(item: StoredItem<Content>, extra: Buffer): StoredItem
}

export type BaseShape = 'IdOnly' | 'Default' | 'AllProperties'

/** Fields that a request names: of items or of folders. */
export interface Paths {
  readonly uris: ReadonlySet<string>
  readonly indexed: readonly IndexedPath[]
  readonly extended: readonly ExtendedPath[]
}

export interface ItemShape extends Paths {
  readonly base: BaseShape
  readonly includeMimeContent: boolean
  /** Which form bodies are wanted in; `Best` is as they are. */
  readonly bodyType: 'Best' | 'HTML' | 'Text'
  /** The element itself, for what else stands there (`UniqueBodyType`, `MaximumBodySize`, …). */
  readonly node: XmlNode | undefined
}
