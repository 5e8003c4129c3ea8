// Evaluates `$filter` and `$orderby` on a resource. Like Exchange, text comparisons ignore case.
import { isObject, type JsonObject } from '../../shared/http.ts'
import type { FilterNode, Literal, Operand } from './filter.ts'
import type { Ordering } from './query.ts'

type Value = Literal | undefined
type Variables = ReadonlyMap<string, unknown>

const none: Variables = new Map()

/** Whether a resource matches the filter. */
export function satisfies(node: FilterNode, json: JsonObject, variables: Variables = none): boolean {
  switch (node.kind) {
    case 'and':
      return satisfies(node.left, json, variables) && satisfies(node.right, json, variables)
    case 'or':
      return satisfies(node.left, json, variables) || satisfies(node.right, json, variables)
    case 'not':
      return !satisfies(node.inner, json, variables)
    case 'truth':
      return operandValue(node.operand, json, variables) === true
    case 'in': {
      const left = operandValue(node.left, json, variables)
      return node.values.some((value) => compare(left, value) === 0)
    }
    case 'call': {
      const left = folded(operandValue(node.left, json, variables))
      const right = folded(operandValue(node.right, json, variables))
      if (node.name === 'contains') return left.includes(right)
      return node.name === 'startswith' ? left.startsWith(right) : left.endsWith(right)
    }
    case 'lambda': {
      const list = resolve(node.path, json, variables)
      const items: unknown[] = Array.isArray(list) ? list : []
      const { inner, variable } = node
      if (inner === undefined) return items.length > 0
      const holds = (item: unknown) => satisfies(inner, json, new Map([...variables, [variable, item]]))
      return node.name === 'any' ? items.some(holds) : items.every(holds)
    }
    case 'compare':
      return holdsBetween(
        node.operator,
        operandValue(node.left, json, variables),
        operandValue(node.right, json, variables),
      )
  }
}

function holdsBetween(operator: string, left: Value, right: Value): boolean {
  const order = compare(left, right)
  switch (operator) {
    case 'eq':
      return order === 0
    case 'ne':
      return order !== 0
    case 'gt':
      return order > 0
    case 'ge':
      return order >= 0
    case 'lt':
      return order < 0
    default:
      return order <= 0
  }
}

/** A comparison function that applies the orderings in sequence. */
export function inOrder(orderings: readonly Ordering[]): (left: JsonObject, right: JsonObject) => number {
  return (left, right) => {
    for (const { path, descending } of orderings) {
      const order = compare(scalar(resolve(path, left, none)), scalar(resolve(path, right, none)))
      if (order !== 0 && !Number.isNaN(order)) return descending ? -order : order
    }
    return 0
  }
}

/** The property paths in a filter, in order. */
export function pathsOf(node: FilterNode): string[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return [...pathsOf(node.left), ...pathsOf(node.right)]
    case 'not':
      return pathsOf(node.inner)
    case 'truth':
      return operandPaths(node.operand)
    case 'in':
      return operandPaths(node.left)
    case 'lambda':
      return [node.path]
    default:
      return [...operandPaths(node.left), ...operandPaths(node.right)]
  }
}

function operandPaths(operand: Operand): string[] {
  if (operand.kind === 'lower') return operandPaths(operand.operand)
  return operand.kind === 'path' ? [operand.path] : []
}

function operandValue(operand: Operand, json: JsonObject, variables: Variables): Value {
  switch (operand.kind) {
    case 'literal':
      return operand.value
    case 'path':
      return scalar(resolve(operand.path, json, variables))
    case 'lower':
      return folded(operandValue(operand.operand, json, variables))
  }
}

function resolve(path: string, json: JsonObject, variables: Variables): unknown {
  const [first = '', ...rest] = path.split('/')
  let value: unknown = variables.has(first) ? variables.get(first) : json[first]
  for (const name of rest) value = isObject(value) ? value[name] : undefined
  return value
}

function scalar(value: unknown): Value {
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null
  return isScalar ? value : undefined
}

/** Negative, zero or positive; NaN if the two values cannot be compared. */
function compare(left: Value, right: Value): number {
  if (left === null || left === undefined || right === null || right === undefined) {
    return (left ?? null) === (right ?? null) ? 0 : Number.NaN
  }
  if (typeof left === 'string' && typeof right === 'string') {
    const [leftTime, rightTime] = [timeOf(left), timeOf(right)]
    if (leftTime !== undefined && rightTime !== undefined) return leftTime - rightTime
    const [a, b] = [left.toLowerCase(), right.toLowerCase()]
    return a < b ? -1 : a > b ? 1 : 0
  }
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return left === right ? 0 : Number.NaN
}

/** Milliseconds of a timestamp; a date alone is its midnight, and a time without an offset is UTC. */
function timeOf(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+)?(Z|[+-]\d{2}:\d{2})?$/.exec(text)
  if (match === null) return undefined
  const time = Date.parse(`${match[1]}${match[2] ?? 'T00:00:00'}${match[3] ?? 'Z'}`)
  return Number.isNaN(time) ? undefined : time
}

function folded(value: Value): string {
  return value === null || value === undefined ? '' : String(value).toLowerCase()
}
