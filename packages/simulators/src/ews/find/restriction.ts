// The restrictions of `FindItem` and `FindFolder`, as predicates over the properties of an item.
// https://learn.microsoft.com/exchange/client-developer/web-service-reference/restriction
import { EwsError } from '../soap/errors.ts'
import { childOf, type XmlNode } from '../xml/read.ts'
import { containsText } from './containment.ts'
import { compareValues, type PropertyType, type PropertyValue, readLike, readValue } from './values.ts'

/** The searchable properties of a kind of item. */
export interface SearchedProperties<Item> {
  /**
   * The property that the element names (`FieldURI`, `IndexedFieldURI`, `ExtendedFieldURI`); undefined if it is not
   * searchable.
   */
  find(path: XmlNode): SearchedProperty<Item> | undefined
}

export interface SearchedProperty<Item> {
  /** Undefined if the values determine the type. */
  readonly type: PropertyType | undefined
  /** Whether it is one bit of a property, for which `Exists` is not allowed. */
  readonly isFlag?: boolean
  value(item: Item): PropertyValue | undefined
}

export type Test<Item> = (item: Item) => boolean

const maxNodes = 255
const paths = ['FieldURI', 'IndexedFieldURI', 'ExtendedFieldURI']

/** Parses the element `Restriction`. Throws an `EwsError` as Exchange does. */
export function readRestriction<Item>(restriction: XmlNode, properties: SearchedProperties<Item>): Test<Item> {
  const [expression] = restriction.children
  if (expression === undefined) throw new EwsError('ErrorInvalidRestriction', 'The restriction is empty.')
  if (nodesOf(expression) > maxNodes) {
    throw new EwsError('ErrorRestrictionTooLong', 'The restriction contains too many nodes.')
  }
  return testOf(expression, properties)
}

function nodesOf(expression: XmlNode): number {
  if (!['And', 'Or', 'Not'].includes(expression.name)) return 1
  return expression.children.reduce((sum, child) => sum + nodesOf(child), 1)
}

function testOf<Item>(node: XmlNode, properties: SearchedProperties<Item>): Test<Item> {
  switch (node.name) {
    case 'And': {
      const tests = node.children.map((child) => testOf(child, properties))
      return (item) => tests.every((test) => test(item))
    }
    case 'Or': {
      const tests = node.children.map((child) => testOf(child, properties))
      return (item) => tests.some((test) => test(item))
    }
    case 'Not': {
      const [inner] = node.children.map((child) => testOf(child, properties))
      if (inner === undefined) throw new EwsError('ErrorInvalidRestriction', 'The restriction is empty.')
      return (item) => !inner(item)
    }
    case 'Exists':
      return existsTest(node, properties)
    case 'Excludes':
      return excludesTest(node, properties)
    case 'Contains':
      return containsTest(node, properties)
    default:
      return comparisonTest(node, properties)
  }
}

function propertyOf<Item>(node: XmlNode | undefined, properties: SearchedProperties<Item>): SearchedProperty<Item> {
  const path = node?.children.find(({ name }) => paths.includes(name))
  const property = path && properties.find(path)
  if (property !== undefined) return property
  throw new EwsError('ErrorUnsupportedPathForQuery', 'The property can not be used with this type of restriction.')
}

function existsTest<Item>(node: XmlNode, properties: SearchedProperties<Item>): Test<Item> {
  const property = propertyOf(node, properties)
  if (property.isFlag) {
    throw new EwsError('ErrorInvalidPropertyForExists', 'The property can not be used with the Exists restriction.')
  }
  return (item) => property.value(item) !== undefined
}

/** True if none of the bits is set. */
function excludesTest<Item>(node: XmlNode, properties: SearchedProperties<Item>): Test<Item> {
  const property = propertyOf(node, properties)
  const written = childOf(node, 'Bitmask')?.attributes.Value ?? ''
  const mask = Number(/^(?:0x[0-9a-f]+|\d+)$/i.test(written.trim()) ? written.trim() : Number.NaN)
  if (Number.isNaN(mask) || (property.type ?? 'number') !== 'number') {
    throw new EwsError('ErrorInvalidExcludesRestriction', 'The bitmask of the Excludes restriction is not valid.')
  }
  return (item) => {
    const value = property.value(item)
    return typeof value === 'number' && (value & mask) === 0
  }
}

function containsTest<Item>(node: XmlNode, properties: SearchedProperties<Item>): Test<Item> {
  const property = propertyOf(node, properties)
  if (!['text', 'texts'].includes(property.type ?? 'text')) throw containsOfWrongType()
  const wanted = childOf(node, 'Constant')?.attributes.Value ?? ''
  const { ContainmentMode: mode, ContainmentComparison: comparison } = node.attributes
  return (item) => textsOf(property.value(item)).some((text) => containsText(text, { mode, comparison, wanted }))
}

function containsOfWrongType(): EwsError {
  return new EwsError('ErrorContainsFilterWrongType', 'The Contains filter can only be used for string properties.')
}

const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  IsEqualTo: (order) => order === 0,
  IsNotEqualTo: (order) => order !== 0,
  IsGreaterThan: (order) => order > 0,
  IsGreaterThanOrEqualTo: (order) => order >= 0,
  IsLessThan: (order) => order < 0,
  IsLessThanOrEqualTo: (order) => order <= 0,
}

/** An item without the property never matches, neither as equal nor as different. */
function comparisonTest<Item>(node: XmlNode, properties: SearchedProperties<Item>): Test<Item> {
  const holds = HOLDS[node.name]
  if (holds === undefined) throw new EwsError('ErrorUnsupportedQueryFilter', `'${node.name}' is no restriction.`)
  const property = propertyOf(node, properties)
  const other = childOf(node, 'FieldURIOrConstant')
  const constant = childOf(other, 'Constant')
  if (constant === undefined) {
    const second = propertyOf(other, properties)
    return (item) => agrees(property.value(item), second.value(item), { holds, type: property.type })
  }
  const written = constant.attributes.Value ?? ''
  const wanted = property.type === undefined ? undefined : wantedOf(readValue(property.type, written), written)
  return (item) => {
    const value = property.value(item)
    if (value === undefined) return false
    return agrees(value, wanted ?? wantedOf(readLike(value, written), written), { holds, type: property.type })
  }
}

function wantedOf(value: PropertyValue | undefined, written: string): PropertyValue {
  if (value !== undefined) return value
  throw new EwsError(
    'ErrorInvalidValueForProperty',
    `The comparison value '${written}' is not valid for the property it is compared with.`,
  )
}

interface Comparison {
  readonly holds: (order: number) => boolean
  readonly type: PropertyType | undefined
}

/** If a property has several values, one match suffices. */
function agrees(
  left: PropertyValue | undefined,
  right: PropertyValue | undefined,
  { holds, type }: Comparison,
): boolean {
  if (left === undefined || right === undefined) return false
  const each = Array.isArray(left) && !Array.isArray(right) ? left : [left]
  return each.some((value) => holds(compareValues(value, right, type)))
}

/** Throws if the value is not text. */
function textsOf(value: PropertyValue | undefined): readonly string[] {
  if (value === undefined) return []
  if (typeof value === 'string') return [value]
  if (typeof value === 'object') return value
  throw containsOfWrongType()
}
