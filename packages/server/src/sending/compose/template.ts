/**
 * Templates without logic: the mustache language without the features that reach outside the text (partials, lambdas,
 * other delimiters).
 *
 *   {{name}} {{a.b}}      the value, escaped if the text is HTML             {{{name}}} {{&name}}   the value as it is
 *   {{#name}}…{{/name}}   for each item of a list, or once if it is present   {{^name}}…{{/name}}   if it is absent
 *   {{.}}                 the item itself                                     {{! … }}              comment
 *
 * `handlebars` adds `{{this}}`, `{{!-- … --}}` and `{{else}}`. Helpers, including `{{#if x}}`, are not supported.
 * There are no expressions and no functions, and names resolve only own properties, so a template cannot run code.
 */
import { limits, type TemplateEngine } from '@waypost/contract'
import { type ApiError, invalidField } from '@waypost/platform/api-error'

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string; raw: boolean }
  | { kind: 'section'; name: string; inverted: boolean; nodes: Node[] }

/** A parsed template, ready to render. */
export interface ParsedTemplate {
  /** The request field of the template, for error messages. */
  field: string
  nodes: readonly Node[]
}

export interface Rendering {
  variables: Readonly<Record<string, unknown>>
  /** Whether a name without a variable is an error. */
  strict: boolean
  /** Whether values are escaped as HTML. */
  html: boolean
}

const deepest = 100
const maxSteps = 200_000
// A tag contains no braces, so the search for its end stops at the next brace.
const tag = /\{\{(?:(\{)([^{}]*)\}|([#^/&!>=]?)([^{}]*))\}\}/g

/** Rejects engines whose templates can run code. */
function needEngine(engine: TemplateEngine): void {
  if (engine === 'mustache' || engine === 'handlebars') return
  throw invalidField(
    'engine',
    `${engine} is not supported because its templates can run code; use mustache, or handlebars without helpers`,
  )
}

/** Parses a template. Errors name the line. */
export function parseTemplate(text: string, engine: TemplateEngine, field: string): ParsedTemplate {
  needEngine(engine)
  const root: Node[] = []
  const open: { section: Node & { kind: 'section' }; before: Node[]; index: number }[] = []
  let nodes = root
  let at = 0
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length
  const wrong = (index: number, problem: string): ApiError => invalidField(field, `line ${lineAt(index)}: ${problem}`)
  const push = (from: number, to: number): void => {
    const piece = text.slice(from, Math.max(from, to))
    if (piece.includes('{{')) throw wrong(from + piece.indexOf('{{'), 'a tag is not closed')
    if (piece !== '') nodes.push({ kind: 'text', text: piece })
  }
  const enter = (name: string, inverted: boolean, index: number): void => {
    if (open.length === deepest) throw wrong(index, `sections are nested more than ${deepest} levels deep`)
    const section = { kind: 'section' as const, name, inverted, nodes: [] }
    nodes.push(section)
    open.push({ section, before: nodes, index })
    nodes = section.nodes
  }
  const leave = (name: string, index: number): string => {
    const last = open.pop()
    if (!last) throw wrong(index, `{{/${name}}} does not close a section`)
    if (name !== '' && last.section.name !== name) {
      throw wrong(index, `found {{/${name}}}, expected {{/${last.section.name}}}`)
    }
    nodes = last.before
    return last.section.name
  }

  for (const found of text.matchAll(tag)) {
    const [whole, triple, tripleName = '', sigil = '', plainName = ''] = found
    const { index } = found
    const written = (triple ? tripleName : plainName).trim()
    const name = engine === 'handlebars' && written === 'this' ? '.' : written
    const isElse = engine === 'handlebars' && !triple && ['else', '^'].includes(`${sigil}${name}`)
    const takesLine = isElse || (sigil !== '' && '#^/!'.includes(sigil))
    const [from, to] = takesLine ? wholeLine(text, index, index + whole.length) : [index, index + whole.length]
    push(at, from)
    at = to
    if (sigil === '!') continue
    if (sigil === '>') throw wrong(index, 'partials ({{> …}}) are not supported')
    if (sigil === '=') throw wrong(index, 'delimiters cannot be changed')
    if (isElse) {
      const { section } = open.at(-1) ?? {}
      if (!section) throw wrong(index, '{{else}} is not inside a section')
      enter(leave('', index), !section.inverted, index)
      continue
    }
    checkName(name, (problem) => wrong(index, problem))
    if (sigil === '#' || sigil === '^') enter(name, sigil === '^', index)
    else if (sigil === '/') leave(name, index)
    else nodes.push({ kind: 'value', name, raw: triple !== undefined || sigil === '&' })
  }
  push(at, text.length)
  const unclosed = open.at(-1)
  if (unclosed) throw wrong(unclosed.index, `{{#${unclosed.section.name}}} is not closed`)
  return { field, nodes: root }
}

/** A tag that is alone on its line removes the line. */
function wholeLine(text: string, from: number, to: number): [number, number] {
  let start = from
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--
  if (start > 0 && text[start - 1] !== '\n') return [from, to]
  let end = to
  while (text[end] === ' ' || text[end] === '\t') end++
  if (text[end] === '\r') end++
  if (end < text.length && text[end] !== '\n') return [from, to]
  return [start, Math.min(end + 1, text.length)]
}

function checkName(name: string, wrong: (problem: string) => ApiError): void {
  if (name === '') throw wrong('a tag is empty')
  if (name === '.') return
  if (/\s|\(|=/.test(name)) {
    throw wrong(`{{${name.slice(0, 40)}}} has more than a name: helpers and expressions are not run here`)
  }
  if (!/^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*$/u.test(name)) throw wrong(`${name.slice(0, 40)} is not a name`)
}

/** The text of a template for some variables. */
export function renderTemplate({ field, nodes }: ParsedTemplate, rendering: Rendering): string {
  let out = ''
  let steps = 0
  const step = (): void => {
    if (++steps > maxSteps || out.length > limits.renderedBytes) throw invalidField(field, 'becomes too large')
  }
  const walk = (list: readonly Node[], stack: readonly unknown[]): void => {
    step()
    for (const node of list) {
      step()
      if (node.kind === 'text') out += node.text
      else if (node.kind === 'value') out += textOf(node, stack, rendering)
      else {
        const value = lookUp(node.name, stack, rendering.strict)
        const isThere = Array.isArray(value) ? value.length > 0 : Boolean(value)
        if (node.inverted) {
          if (!isThere) walk(node.nodes, stack)
        } else if (Array.isArray(value)) {
          for (const item of value) walk(node.nodes, [...stack, item])
        } else if (isThere) walk(node.nodes, [...stack, value])
      }
    }
  }
  walk(nodes, [rendering.variables])
  step()
  return out
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function textOf(node: Node & { kind: 'value' }, stack: readonly unknown[], { strict, html }: Rendering): string {
  const value = lookUp(node.name, stack, strict)
  if (value === undefined || value === null) return ''
  if (typeof value === 'object') {
    throw invalidField(`variables.${node.name}`, 'is a list or an object where the template needs a text')
  }
  const text = String(value)
  return html && !node.raw ? text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign) : text
}

const has = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, name) &&
  !(Array.isArray(value) && name === 'length')

/**
 * The first segment of a name is searched from the innermost section outwards, the other segments inside the value
 * found.
 */
function lookUp(name: string, stack: readonly unknown[], strict: boolean): unknown {
  if (name === '.') return stack.at(-1)
  const [first = '', ...rest] = name.split('.')
  let value: unknown = stack.findLast((scope) => has(scope, first))
  for (const step of [first, ...rest]) {
    if (!has(value, step)) {
      if (strict)
        throw invalidField(
          `variables.${name}`,
          'is missing: the template uses it; pass a value, or set strict to false',
        )
      return undefined
    }
    value = value[step]
  }
  return value
}
