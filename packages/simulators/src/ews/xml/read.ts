// Parses XML from clients to a tree. Names have no prefixes.
import { Parser } from 'htmlparser2'

export interface XmlNode {
  /** The URI; empty if there is none. */
  readonly namespace: string
  /** Without prefix. */
  readonly name: string
  /** Keyed by name without prefix, without namespace declarations. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  /** The text directly inside it. */
  readonly text: string
}

export class XmlSyntaxError extends Error {
  override readonly name = 'XmlSyntaxError'
}

type Prefixes = Readonly<Record<string, string>>
interface Open {
  readonly node: XmlNode & { children: XmlNode[]; text: string }
  readonly prefixes: Prefixes
}

const maxDepth = 100

/** Parses a complete document. Throws an `XmlSyntaxError`. */
export function readXml(source: string): XmlNode {
  const open: Open[] = []
  let root: XmlNode | undefined
  const parser = new Parser(
    {
      onopentag(tag, written) {
        const parent = open.at(-1)
        if (parent === undefined && root !== undefined) throw new XmlSyntaxError('There are multiple root elements.')
        if (open.length >= maxDepth) throw new XmlSyntaxError('The maximum read depth has been exceeded.')
        const opened = openNode(tag, written, parent?.prefixes ?? {})
        if (parent === undefined) root = opened.node
        else parent.node.children.push(opened.node)
        open.push(opened)
      },
      ontext(text) {
        const top = open.at(-1)
        if (top !== undefined) top.node.text += text
      },
      onclosetag(tag, isImplied) {
        // Only an empty element closes itself; any other element must have an end tag.
        const top = open.pop()
        if (top === undefined || (isImplied && !wroteItself(source, parser, tag))) {
          throw new XmlSyntaxError('Unexpected end of file has occurred.')
        }
      },
      onprocessinginstruction(name) {
        if (name.toLowerCase() === '!doctype') throw new XmlSyntaxError('DTD is prohibited in this XML document.')
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(source)
  if (root === undefined || open.length > 0) throw new XmlSyntaxError('Root element is missing.')
  return root
}

/** Whether a tag closed without an end tag is an empty element (`<a/>`). */
function wroteItself(source: string, { endIndex }: Parser, _tag: string): boolean {
  return source.slice(0, endIndex + 1).endsWith('/>')
}

function openNode(tag: string, written: Readonly<Record<string, string>>, outer: Prefixes): Open {
  const prefixes: Record<string, string> = { ...outer }
  const attributes: Record<string, string> = {}
  for (const [name, value] of Object.entries(written)) {
    if (name === 'xmlns') prefixes[''] = value
    else if (name.startsWith('xmlns:')) prefixes[name.slice(6)] = value
    else attributes[name.slice(name.indexOf(':') + 1)] = value
  }
  const colon = tag.indexOf(':')
  const prefix = colon < 0 ? '' : tag.slice(0, colon)
  const namespace = prefixes[prefix]
  if (namespace === undefined && prefix !== '') throw new XmlSyntaxError(`'${prefix}' is an undeclared prefix.`)
  return {
    node: { namespace: namespace ?? '', name: tag.slice(colon + 1), attributes, children: [], text: '' },
    prefixes,
  }
}

/** The first child with a name. */
export function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child) => child.name === name)
}

/** The node at a path of names, using the first match at each step. */
export function within(node: XmlNode | undefined, ...names: string[]): XmlNode | undefined {
  return names.reduce<XmlNode | undefined>((found, name) => childOf(found, name), node)
}

export function childrenOf(node: XmlNode | undefined, name: string): XmlNode[] {
  return node?.children.filter((child) => child.name === name) ?? []
}

/** The trimmed text of the first child with a name. */
export function textOf(node: XmlNode | undefined, name: string): string | undefined {
  return childOf(node, name)?.text.trim()
}

/** Whether a child is `true` or `1`. */
export function isTrue(node: XmlNode | undefined, name: string): boolean {
  return ['true', '1'].includes(textOf(node, name) ?? '')
}
