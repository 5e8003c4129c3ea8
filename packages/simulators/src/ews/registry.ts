// Combines the definitions of all parts.
import type { ExchangePart, ItemType, Registry } from './model.ts'
import type { Schema } from './soap/versions.ts'

export function createRegistry(parts: readonly ExchangePart[]): Registry {
  const itemTypes = parts.flatMap(({ itemTypes: types = [] }) => types)
  const operations = Object.assign({}, ...parts.map(({ operations: own }) => own)) as ExchangePart['operations']
  const since = Object.assign({}, ...parts.map(({ since: own }) => own ?? {})) as Record<string, Schema>
  return {
    itemTypes,
    operations,
    since,
    responses: Object.assign({}, ...parts.map(({ responses }) => responses ?? {})),
    itemIds: Object.assign({}, ...parts.map(({ itemIds }) => itemIds ?? {})),
    resolveNames: parts.flatMap((part) => part.resolveNames?.bind(part) ?? []),
    views: Object.assign({}, ...parts.map(({ views }) => views ?? {})),
    operation(name) {
      const handle = Object.hasOwn(operations, name) ? operations[name] : undefined
      return handle === undefined ? undefined : { handle, since: since[name] ?? 'Exchange2007' }
    },
    typeOfClass(itemClass) {
      const named = itemClass.toLowerCase()
      const fits = ({ itemClass: prefix }: ItemType) =>
        named === prefix.toLowerCase() || named.startsWith(`${prefix.toLowerCase()}.`)
      return itemTypes.filter(fits).toSorted((left, right) => right.itemClass.length - left.itemClass.length)[0]
    },
    typeOf({ type }) {
      const found = itemTypes.find((each) => each === type)
      if (found === undefined) throw new Error(`No part has the type ${type.element}`)
      return found
    },
    typeOfElement: (element) => itemTypes.find((type) => type.element === element),
  }
}
