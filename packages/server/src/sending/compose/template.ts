/**
 * Templates without logic: the mustache language, less what reaches outside the text (partials, lambdas, other delimiters).
 *
 *   {{name}} {{a.b}}      the value, escaped where the text is HTML          {{{name}}} {{&name}}   the value as it is
 *   {{#name}}…{{/name}}   for each item of a list, or once where it is there  {{^name}}…{{/name}}   where it is not there
 *   {{.}}                 the item itself                                     {{! … }}              nothing
 *
 * `handlebars` is the same, with `{{this}}`, `{{!-- … --}}` and `{{else}}`; helpers, `{{#if x}}` included, are not run.
 * There are no expressions and no functions, and a name finds own properties only: a template cannot do anything.
 */
import { limits, type TemplateEngine } from '@waypost/contract'
import { type ApiError, invalidField } from '../../lib/api-error.ts'

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string; raw: boolean }
  | { kind: 'section'; name: string; inverted: boolean; nodes: Node[] }

/** A template that was read: fit to be rendered. */
export interface ParsedTemplate {
  /** The field of the request that it stands in, for errors. */
  field: string
  nodes: readonly Node[]
}

export interface Rendering {
  variables: Readonly<Record<string, unknown>>
  /** A name that is not among the variables is an error. */
  strict: boolean
  /** The text is HTML. */
  html: boolean
}

const deepest = 100
const mostSteps = 200_000
// No braces within a tag, so that looking for its end never goes further than to the next one.
const tag = /\{\{(?:(\{)([^{}]*)\}|([#^/&!>=]?)([^{}]*))\}\}/g

/** Refuses the engines whose templates can run code. */
function needEngine(engine: TemplateEngine): void {
  if (engine === 'mustache' || engine === 'handlebars') return
  throw invalidField(
    'engine',
    `${engine} is not run here: its templates can run code; use mustache, or handlebars without helpers`,
  )
}

/** Reads a template; what it cannot be is told with the line. */
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
    if (open.length === deepest) throw wrong(index, `sections stand more than ${deepest} deep in one another`)
    const section = { kind: 'section' as const, name, inverted, nodes: [] }
    nodes.push(section)
    open.push({ section, before: nodes, index })
    nodes = section.nodes
  }
  const leave = (name: string, index: number): string => {
    const last = open.pop()
    if (!last) throw wrong(index, `{{/${name}}} closes no section`)
    if (name !== '' && last.section.name !== name) {
      throw wrong(index, `{{/${name}}} stands where {{/${last.section.name}}} must`)
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
    if (sigil === '>') throw wrong(index, 'partials ({{> …}}) are not run here')
    if (sigil === '=') throw wrong(index, 'delimiters cannot be changed')
    if (isElse) {
      const { section } = open.at(-1) ?? {}
      if (!section) throw wrong(index, '{{else}} stands in no section')
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

/** A tag that stands alone on its line takes the line with it. */
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
    if (++steps > mostSteps || out.length > limits.renderedBytes) throw invalidField(field, 'becomes too large')
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

/** The first part of a name is looked for from the innermost section outwards, the others in what was found. */
function lookUp(name: string, stack: readonly unknown[], strict: boolean): unknown {
  if (name === '.') return stack.at(-1)
  const [first = '', ...rest] = name.split('.')
  let value: unknown = stack.findLast((scope) => has(scope, first))
  for (const step of [first, ...rest]) {
    if (!has(value, step)) {
      if (strict)
        throw invalidField(`variables.${name}`, 'is missing: the template needs it; give it, or set strict to false')
      return undefined
    }
    value = value[step]
  }
  return value
}
