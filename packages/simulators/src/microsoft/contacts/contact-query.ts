// The contact filters that Exchange supports: equal or prefix for text, and equal for an address.
import { GraphError } from '../errors.ts'
import type { FilterNode, Operand } from '../odata/filter.ts'
import { readQuery } from '../odata/query.ts'
import { texts } from './contact-body.ts'

const text = new Set<string>([...texts, 'parentFolderId', 'birthday', 'createdDateTime', 'lastModifiedDateTime'])

/** Rejects searches, filters and orders that Exchange has no index for. */
export function checkContactQuery(query: URLSearchParams): void {
  const { filter, orderBy, search } = readQuery(query)
  if (search !== undefined) {
    throw new GraphError(400, 'ErrorInvalidUrlQuery', "The query parameter '$search' is not supported on contacts.")
  }
  if (filter !== undefined && !isAnswerable(filter)) {
    const message = 'The query filter contains one or more invalid nodes.'
    throw new GraphError(400, 'ErrorInvalidUrlQueryFilter', message)
  }
  const path = orderBy.find((one) => !text.has(one.path))?.path
  if (path === undefined) return
  throw new GraphError(400, 'ErrorInvalidUrlQuery', `The property '${path}' does not support sorting.`)
}

function isAnswerable(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return isAnswerable(node.left) && isAnswerable(node.right)
    case 'not':
      return isAnswerable(node.inner)
    case 'compare':
      return isText(node.left)
    case 'in':
      return isText(node.left)
    case 'call':
      return node.name === 'startswith' && isText(node.left)
    case 'lambda':
      return node.name === 'any' && isExact(node.path, node.variable, node.inner)
    default:
      return false
  }
}

function isText(operand: Operand): boolean {
  return operand.kind === 'path' && text.has(operand.path)
}

/** `emailAddresses/any(a:a/address eq '…')` and `categories/any(a:a eq '…')`. */
function isExact(path: string, variable: string, inner: FilterNode | undefined): boolean {
  const wanted = path === 'emailAddresses' ? `${variable}/address` : path === 'categories' ? variable : undefined
  if (wanted === undefined || inner?.kind !== 'compare' || inner.operator !== 'eq') return false
  return inner.left.kind === 'path' && inner.left.path === wanted
}
