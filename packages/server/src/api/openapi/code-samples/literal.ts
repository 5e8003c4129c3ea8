/** A value as a TypeScript literal. */
const width = 90

const isName = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key)
const quoted = (text: string): string =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** An expression that is written as it is: a variable of the program, or a member of an enumeration. */
export class Expression {
  readonly code: string
  constructor(code: string) {
    this.code = code
  }
}

const inOrder = (open: string, parts: readonly string[], close: string, indent: string): string => {
  if (parts.length === 0) return open + close
  const room = open === '{' ? ' ' : ''
  const line = `${open}${room}${parts.join(', ')}${room}${close}`
  if (line.length + indent.length <= width && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`
}

/** On one line if it fits. */
export function literal(value: unknown, indent = ''): string {
  if (value instanceof Expression) return value.code
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) {
    return inOrder(
      '[',
      value.map((item) => literal(item, `${indent}  `)),
      ']',
      indent,
    )
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => `${isName(key) ? key : quoted(key)}: ${literal(field, `${indent}  `)}`)
  return inOrder('{', fields, '}', indent)
}
