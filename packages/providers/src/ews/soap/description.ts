/**
 * Types of the EWS schema as data. A description lists the elements and attributes of a type once, in the order of
 * the schema. The TypeScript type, the writer and the reader are derived from it.
 *
 * Elements without a description are not read. Absent values are not written. A value of a wrong type is an
 * `UnreadableElement`, which names the element.
 */
import type { XmlElement } from '@waypost/platform/xml/xml'
import {
  type Description,
  type ElementText,
  type OnDropped,
  type Scalar,
  UnreadableElement,
  within,
} from './scalars.ts'

export * from './scalars.ts'
export { UnreadableElement } from './scalars.ts'

/** The schema of a local element: `t` is types.xsd, `m` is messages.xsd. */
export type Prefix = 't' | 'm'

/** A place in a sequence: an element, a repeated one, or a choice of elements. */
export interface Field<T, Required extends boolean = boolean> {
  readonly isRequired: Required
  /** The names of the elements that are read at a place of this name. */
  names(name: string): readonly string[]
  write(prefix: Prefix, name: string, value: T): string
  /** The value after one more element. */
  take(before: T | undefined, element: XmlElement, onDropped: OnDropped): T | undefined
}

/** One of several elements by name; the name is the `kind` of the value. */
export interface Choice<T extends { kind: string }> {
  names(): readonly string[]
  write(prefix: Prefix, value: T): string
  read(element: XmlElement, onDropped: OnDropped): T | undefined
}

/** A plain description is an optional element. */
type Place = Description<unknown> | Field<unknown>
type Places = Readonly<Record<string, Place>>
type Attributes = Readonly<Record<string, Scalar<unknown> | RequiredAttribute<unknown>>>

interface RequiredAttribute<T> {
  readonly scalar: Scalar<T>
}

type Plain<T> = { [K in keyof T]: T[K] }
type PlaceValue<P> = P extends Field<infer T> ? T : P extends Description<infer T> ? T : never
type NeededPlaces<P> = { [K in keyof P]: P[K] extends Field<unknown, true> ? K : never }[keyof P]
type Values<P> = { [K in NeededPlaces<P>]: PlaceValue<P[K]> } & {
  [K in Exclude<keyof P, NeededPlaces<P>>]?: PlaceValue<P[K]> | undefined
}
type NeededAttributes<A> = { [K in keyof A]: A[K] extends RequiredAttribute<unknown> ? K : never }[keyof A]
type AttributeValue<A> = A extends RequiredAttribute<infer T> ? T : A extends Scalar<infer T> ? T : never
type AttributeValues<A> = { [K in NeededAttributes<A>]: AttributeValue<A[K]> } & {
  [K in Exclude<keyof A, NeededAttributes<A>>]?: AttributeValue<A[K]> | undefined
}
type NoKeys = Record<never, never>

/** The type of the values of a description or a choice. */
export type ValueOf<D> = D extends Description<infer T> ? T : D extends Choice<infer T> ? T : never

/** Whether a place is a field; a plain description is an optional element. */
const isField = (place: Place): place is Field<unknown> => 'take' in place

/** A single element with the name of its place. */
function single<T, R extends boolean>(description: Description<T>, isRequired: R): Field<T, R> {
  return {
    isRequired,
    names: (name) => [name],
    write: (prefix, name, value) => tagged(prefix, name, description.write(value)),
    take: (_before, element, onDropped) => readElement(description, element, onDropped),
  }
}

/** A required element. */
export function required<T>(description: Description<T>): Field<T, true> {
  return single(description, true)
}

/** A required attribute. */
export const requiredAttribute = <T>(scalar: Scalar<T>): RequiredAttribute<T> => ({ scalar })

/** A repeated element without a parent; an empty list for none. */
export function repeated<T>(description: Description<T>): Field<T[], false> {
  return {
    isRequired: false,
    names: (name) => [name],
    write: (prefix, name, values) => values.map((value) => tagged(prefix, name, description.write(value))).join(''),
    take: (before = [], element, onDropped) => {
      const value = readElement(description, element, onDropped)
      // The list belongs to this read alone. A copy per element would take quadratic time.
      if (value !== undefined) before.push(value)
      return before
    },
  }
}

/** A choice directly in the sequence; the name of the place is only ours. */
export function inline<T extends { kind: string }>(choice: Choice<T>): Field<T, false> {
  return inlineChoice(choice, false)
}

/** The same for a required choice. */
export function requiredInline<T extends { kind: string }>(choice: Choice<T>): Field<T, true> {
  return inlineChoice(choice, true)
}

function inlineChoice<T extends { kind: string }, R extends boolean>(choice: Choice<T>, isRequired: R): Field<T, R> {
  return {
    isRequired,
    names: () => choice.names(),
    write: (prefix, _name, value) => choice.write(prefix, value),
    take: (before, element, onDropped) => choice.read(element, onDropped) ?? before,
  }
}

/** Several elements of a choice directly in the sequence; the name of the place is only ours. */
export function repeatedInline<T extends { kind: string }>(choice: Choice<T>): Field<T[], false> {
  return {
    isRequired: false,
    names: () => choice.names(),
    write: (prefix, _name, values) => values.map((value) => choice.write(prefix, value)).join(''),
    take: (before = [], element, onDropped) => {
      const value = choice.read(element, onDropped)
      if (value !== undefined) before.push(value)
      return before
    },
  }
}

/** A type of types.xsd that is a sequence of elements. */
export const sequence = <const P extends Places>(places: P): Description<Plain<Values<P>>> =>
  element({ prefix: 't', attributes: {}, places })

/** A type of messages.xsd: a sequence of elements, some with attributes. */
export const message = <const P extends Places, const A extends Attributes = NoKeys>(
  places: P,
  attributes?: A,
): Description<Plain<AttributeValues<A> & Values<P>>> =>
  element({ prefix: 'm', attributes: attributes ?? ({} as A), places })

/** A type with attributes alone. */
export const attributesOnly = <const A extends Attributes>(attributes: A): Description<Plain<AttributeValues<A>>> =>
  element({ attributes, places: {} })

/** A type with attributes and elements. */
export function element<const A extends Attributes, const P extends Places = NoKeys>({
  prefix = 't',
  attributes,
  places,
}: {
  prefix?: Prefix
  attributes: A
  places: P
}): Description<Plain<AttributeValues<A> & Values<P>>> {
  const fields = Object.entries<Place>(places).map(([name, place]) => ({
    name,
    field: isField(place) ? place : single(place, false),
  }))
  const needed = fields.filter(({ field }) => field.isRequired)
  const attributeList = attributesOf(attributes)
  // Built on first use, because choices may refer to later descriptions.
  let byElement: Map<string, (typeof fields)[number]> | undefined
  return {
    write(value) {
      const given: Record<string, unknown> = value
      const content = fields.map(({ name, field }) =>
        given[name] === undefined ? '' : field.write(prefix, name, given[name]),
      )
      return { attributes: writeAttributes(attributeList, given), content: content.join('') }
    },
    read(from, onDropped) {
      const value = readAttributes(attributeList, from)
      byElement ??= new Map(fields.flatMap((each) => each.field.names(each.name).map((name) => [name, each] as const)))
      for (const child of from.children) {
        const place = byElement.get(child.name)
        if (place) value[place.name] = place.field.take(value[place.name], child, onDropped)
      }
      for (const { name } of needed) if (value[name] === undefined) throw new UnreadableElement('is missing', name)
      // Every place was checked.
      return value as Plain<AttributeValues<A> & Values<P>>
    },
  }
}

/** A type that is a text with attributes; the text is its `value`. */
export function textElement<const A extends Attributes, T>(
  attributes: A,
  scalar: Scalar<T>,
): Description<Plain<AttributeValues<A> & { value: T }>> {
  const attributeList = attributesOf(attributes)
  return {
    write: (value) => ({
      attributes: writeAttributes(attributeList, value),
      content: scalar.format(value.value),
    }),
    read(from) {
      const value = scalar.parse(from.text)
      if (value === undefined) return undefined
      return { ...readAttributes(attributeList, from), value } as Plain<AttributeValues<A> & { value: T }>
    },
  }
}

/** One of several elements. A text element has its text as `value`. */
export function choice<const O extends Readonly<Record<string, Description<unknown>>>>(
  options: O,
): Choice<ChoiceValue<O>> & { readonly options: O } {
  return {
    options,
    names: () => Object.keys(options),
    write(prefix, value) {
      const description = options[value.kind]
      if (!description) throw new Error(`no element ${value.kind} is described`)
      return tagged(prefix, value.kind, description.write('parse' in description ? Reflect.get(value, 'value') : value))
    },
    read(from, onDropped) {
      const description = Object.hasOwn(options, from.name) ? options[from.name] : undefined
      const value = description && readElement(description, from, onDropped)
      if (value === undefined) return undefined
      const content = typeof value === 'object' && !Buffer.isBuffer(value) ? value : { value }
      return { kind: from.name, ...content } as ChoiceValue<O>
    },
  }
}
type ChoiceValue<O> = {
  [K in keyof O & string]: Plain<
    { kind: K } & (O[K] extends Scalar<infer T> ? { value: T } : O[K] extends Description<infer T> ? T : never)
  >
}[keyof O & string]

/** A choice that is described later, or contains itself. */
export const later = <T extends { kind: string }>(find: () => Choice<T>): Choice<T> => ({
  names: () => find().names(),
  write: (prefix, value) => find().write(prefix, value),
  read: (from, onDropped) => find().read(from, onDropped),
})

/** A type that contains one element of a choice. */
export function one<T extends { kind: string }>(of: Choice<T>, prefix: Prefix = 't'): Description<T> {
  return {
    write: (value) => ({ attributes: '', content: of.write(prefix, value) }),
    read(from, onDropped) {
      for (const child of from.children) {
        const value = of.read(child, onDropped)
        if (value !== undefined) return value
      }
      return undefined
    },
  }
}

/** A type that is a list of elements of one name. */
export function list<T>(name: string, description: Description<T>, prefix: Prefix = 't'): Description<T[]> {
  return {
    write: (values) => ({
      attributes: '',
      content: values.map((value) => tagged(prefix, name, description.write(value))).join(''),
    }),
    read: (from, onDropped) =>
      childrenOf(from, maxValues).flatMap((child) => {
        if (child.name !== name) return []
        return readElement(description, child, onDropped) ?? []
      }),
  }
}

/** A type that is a list of elements of a choice. */
export function listOf<T extends { kind: string }>(of: Choice<T>, prefix: Prefix = 't'): Description<T[]> {
  return {
    write: (values) => ({ attributes: '', content: values.map((value) => of.write(prefix, value)).join('') }),
    read: (from, onDropped) => childrenOf(from, maxValues).flatMap((child) => of.read(child, onDropped) ?? []),
  }
}

/** No property of an item has more values, and no requested page more items. */
const maxValues = 10_000
const maxItems = 2_000

/** The elements of a list; throws if there are more than were requested. */
function childrenOf({ children }: XmlElement, max: number): readonly XmlElement[] {
  if (children.length <= max) return children
  throw new UnreadableElement(`has more than ${max} elements`)
}

/** The same for contents of a mailbox: an element that cannot be read is left out and reported. */
export function readableListOf<T extends { kind: string }>(of: Choice<T>, prefix: Prefix = 't'): Description<T[]> {
  return {
    write: listOf(of, prefix).write,
    read: (from, onDropped) =>
      childrenOf(from, maxItems).flatMap((child) => {
        try {
          return of.read(child, onDropped) ?? []
        } catch (error) {
          if (!(error instanceof UnreadableElement)) throw error
          onDropped(error)
          return []
        }
      }),
  }
}

/** The element of a value, with its tags. */
export const writeElement = <T>(prefix: Prefix, name: string, description: Description<T>, value: T): string =>
  tagged(prefix, name, description.write(value))

function tagged(prefix: Prefix, name: string, { attributes, content }: ElementText): string {
  const tag = `${prefix}:${name}`
  return content === '' ? `<${tag}${attributes}/>` : `<${tag}${attributes}>${content}</${tag}>`
}

interface AttributeOf {
  name: string
  scalar: Scalar<unknown>
  isRequired: boolean
}

const attributesOf = (attributes: Attributes): AttributeOf[] =>
  Object.entries(attributes).map(([name, kind]) =>
    'scalar' in kind ? { name, scalar: kind.scalar, isRequired: true } : { name, scalar: kind, isRequired: false },
  )

const writeAttributes = (attributes: readonly AttributeOf[], value: Readonly<Record<string, unknown>>): string =>
  attributes
    .map(({ name, scalar }) => (value[name] === undefined ? '' : ` ${name}="${scalar.format(value[name])}"`))
    .join('')

function readAttributes(attributes: readonly AttributeOf[], from: XmlElement): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const { name, scalar, isRequired } of attributes) {
    const written = from.attributes[name]
    const read = written === undefined ? undefined : readAttribute(scalar, name, written)
    if (read !== undefined) value[name] = read
    else if (isRequired) throw new UnreadableElement('is missing', `@${name}`)
  }
  return value
}

/** Reads an element; an error contains its name. */
function readElement<T>(description: Description<T>, from: XmlElement, onDropped: OnDropped): T | undefined {
  try {
    return description.read(from, onDropped)
  } catch (error) {
    throw within(from.name, error)
  }
}

function readAttribute(scalar: Scalar<unknown>, name: string, written: string): unknown {
  try {
    return scalar.parse(written)
  } catch (error) {
    throw within(`@${name}`, error)
  }
}
