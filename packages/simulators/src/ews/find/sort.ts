// `SortOrder`.
import { EwsError } from '../soap/errors.ts'
import type { XmlNode } from '../xml/read.ts'
import type { SearchedProperties } from './restriction.ts'
import { compareValues } from './values.ts'

export type Order<Item> = (left: Item, right: Item) => number

/** Items without the property come first. */
export function readSortOrder<Item>(node: XmlNode, properties: SearchedProperties<Item>): Order<Item> {
  const orders = node.children.map((order): Order<Item> => {
    const [path] = order.children
    const property = path && properties.find(path)
    if (property === undefined) {
      throw new EwsError('ErrorUnsupportedPathForSortGroup', 'The property can not be used for sorting or grouping.')
    }
    const direction = order.attributes.Order === 'Descending' ? -1 : 1
    return (left, right) => {
      const [first, second] = [property.value(left), property.value(right)]
      if (first === undefined || second === undefined)
        return direction * (Number(first !== undefined) - Number(second !== undefined))
      return direction * compareValues(first, second, property.type)
    }
  })
  return (left, right) => {
    for (const order of orders) {
      const result = order(left, right)
      if (result !== 0) return result
    }
    return 0
  }
}
