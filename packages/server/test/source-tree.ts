/** Reads syntax trees for the architecture test: the length of functions, and the state of modules. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)

/** An expression without the type annotations around it. */
function bare(value: unknown): Node | undefined {
  if (!isNode(value)) return undefined
  return /^(TSAs|TSSatisfies|Parenthesized)/.test(value.type) ? bare(value.expression) : value
}

const nameOf = (node: Node): string | undefined => {
  const named = isNode(node.id) ? node.id : isNode(node.key) ? node.key : undefined
  return typeof named?.name === 'string' ? named.name : undefined
}

const listed = new Map<string, string[]>()

/** The TypeScript files below a folder, without installed packages. A folder is listed once. */
export function sourceFiles(folder: string): string[] {
  const files = listed.get(folder) ?? globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['**/node_modules'] })
  listed.set(folder, files)
  return files
}

interface Parsed {
  file: string
  text: string
  readonly program: Node
}

const parsed = new Map<string, Parsed[]>()

function parseFolder(folder: string): Parsed[] {
  const known = parsed.get(folder) ?? readFolder(folder)
  parsed.set(folder, known)
  return known
}

function readFolder(folder: string): Parsed[] {
  return sourceFiles(folder).map((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    let program: Node | undefined
    return {
      ...{ file, text },
      get program() {
        program ??= parseSync(file, text).program as unknown as Node
        return program
      },
    }
  })
}

/**
 * The record that a function returns at its end. Each function in it is counted separately, like the methods of a
 * class.
 */
function returnedRecord({ body }: Node): Node | undefined {
  const block = bare(body)
  const statements = block?.type === 'BlockStatement' && Array.isArray(block.body) ? block.body : undefined
  const last: unknown = statements ? statements.at(-1) : undefined
  const value = statements ? (isNode(last) && last.type === 'ReturnStatement' ? bare(last.argument) : undefined) : block
  return value?.type === 'ObjectExpression' ? value : undefined
}

/** Functions of more than `max` lines, as "file: name (lines)". Nested functions count with the outer one. */
export function longFunctions(folder: string, max: number): string[] {
  return parseFolder(folder).flatMap((parsed) => {
    const { file, text } = parsed
    const lines = ({ start, end } = { start: 0, end: text.length }): number => text.slice(start, end).split('\n').length
    if (lines() <= max) return []
    const found: string[] = []
    const visit = (node: Node, name: string): void => {
      if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
        const record = returnedRecord(node)
        const length = lines(node) - (record ? Math.max(0, lines(record) - 2) : 0)
        if (length > max) found.push(`${file}: ${nameOf(node) ?? name} (${length})`)
      }
      for (const child of childrenOf(node)) if (lines(child) > max) visit(child, nameOf(node) ?? name)
    }
    visit(parsed.program, 'without a name')
    return found
  })
}

const calleeOf = ({ callee }: Node): string => (isNode(callee) && typeof callee.name === 'string' ? callee.name : '')

/** Classes of the language whose instances are constants here. */
const constants = /^(RegExp|URL|TextDecoder|TextEncoder)$/

/** Whether a value is mutable: empty collections, instances of classes, and results of `create` functions. */
function isMadeToChange(value: Node | undefined): boolean {
  if (value?.type === 'CallExpression') return /^create[A-Z]/.test(calleeOf(value))
  if (value?.type !== 'NewExpression') return false
  const isFilled = Array.isArray(value.arguments) && value.arguments.length > 0
  return !constants.test(calleeOf(value)) && !(/^(Map|Set)$/.test(calleeOf(value)) && isFilled)
}

/** Mutable state at the top level of modules, as "file: name". */
export function moduleState(folder: string): string[] {
  return parseFolder(folder).flatMap(({ file, text, program }) => {
    const statements = childrenOf(program).map((each) => (isNode(each.declaration) ? each.declaration : each))
    const variables = statements.filter(({ type }) => type === 'VariableDeclaration')
    const changed = variables.flatMap((declaration) =>
      childrenOf(declaration).filter((variable) => {
        if (declaration.kind === 'let') return true
        const value = bare(variable.init)
        const isList = value?.type === 'ArrayExpression' || value?.type === 'NewExpression'
        const call = new RegExp(
          `(?<![.\\w])${nameOf(variable)}\\.(set|add|delete|clear|push|pop|shift|unshift|splice)\\(`,
        )
        return isMadeToChange(value) || (isList && call.test(text))
      }),
    )
    const statics = statements
      .filter(({ type }) => type === 'ClassDeclaration')
      .flatMap(({ body }) => (isNode(body) ? childrenOf(body) : []))
      .filter((member) => member.type === 'PropertyDefinition' && member.static === true && member.readonly !== true)
    return [...changed, ...statics].map((each) => `${file.replaceAll(path.sep, '/')}: ${nameOf(each)}`)
  })
}
