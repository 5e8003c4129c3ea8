/**
 * Replaces `@scalar/code-highlight`: our descriptions are plain Markdown, and samples use a few languages. Its
 * pipelines for all of Markdown, HTML and fifty languages are a third of the page.
 */
import { Marked, type Token, type Tokens } from 'marked'
import { serviceUrl } from '../base.ts'
import { escapeHtml, highlight } from '../highlight.ts'

interface TextNode {
  type: 'text'
  value: string
}
interface HeadingNode {
  type: 'heading'
  depth: number
  children: TextNode[]
  data?: { hProperties?: { id?: string } }
}
interface MarkdownOptions {
  transform?: (node: HeadingNode) => HeadingNode
  transformType?: string
}

export const isHeading = (node: { type: string }): node is HeadingNode => node.type === 'heading'
export const textFromNode = (node: HeadingNode | TextNode): string =>
  node.type === 'text' ? node.value : node.children.map(textFromNode).join('')

/** Allowed link targets. */
const isAllowed = (href: string): boolean => /^(?:https?:|mailto:|#|\/|\.)/.test(href) || !href.includes(':')

const headingOf = ({ depth, text }: Tokens.Heading): HeadingNode => ({
  type: 'heading',
  depth,
  children: [{ type: 'text', value: text.replace(/[`*_]/g, '') }],
})

function parserFor({ transform, transformType }: MarkdownOptions): Marked {
  const parser: Marked = new Marked({ gfm: true })
  parser.use({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const to = href.startsWith('/docs') ? `${serviceUrl}${href}` : href
        return isAllowed(href) ? `<a href="${escapeHtml(to)}">${text}</a>` : text
      },
      code: ({ text, lang = '' }) => `<pre><code class="hljs">${highlight(text, lang)}</code></pre>`,
      heading(token) {
        const node = headingOf(token)
        const id = (transformType === 'heading' && transform?.(node).data?.hProperties?.id) || ''
        const at = id === '' ? '' : ` id="${escapeHtml(id)}"`
        return `<h${token.depth}${at}>${this.parser.parseInline(token.tokens)}</h${token.depth}>`
      },
    },
  })
  return parser
}

const plain = parserFor({})

export function htmlFromMarkdown(markdown: string, options: MarkdownOptions = {}): string {
  const parser = options.transform ? parserFor(options) : plain
  return parser.parse(markdown, { async: false })
}

const isHeadingToken = (token: Token): token is Tokens.Heading => token.type === 'heading'

export const getHeadings = (markdown: string): { depth: number; value: string }[] =>
  plain
    .lexer(markdown)
    .filter(isHeadingToken)
    .map((token) => ({ depth: token.depth, value: textFromNode(headingOf(token)) }))

/** The document in pieces: every heading is one, and what stands between two headings. */
export function splitContent(markdown: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const token of plain.lexer(markdown)) {
    if (isHeadingToken(token)) {
      pieces.push(piece, token.raw)
      piece = ''
    } else piece += token.raw
  }
  return [...pieces, piece].map((each) => each.trim()).filter((each) => each !== '')
}

/** Which languages there are is known to the highlighting itself. */
export const standardLanguages = {}

interface HighlightOptions {
  lang: string
  lineNumbers?: boolean
  maskCredentials?: string | string[]
}

export function syntaxHighlight(code: string, { lang, lineNumbers, maskCredentials = [] }: HighlightOptions): string {
  const masked = [maskCredentials].flat().filter((credential) => credential.length >= 3)
  const lines = highlight(code, lang)
  const numbered = lineNumbers
    ? lines
        .split('\n')
        .map((line) => `<span class="line">${line}\n</span>`)
        .join('')
    : lines
  const html = masked.reduce((text, credential) => {
    const shown = escapeHtml(credential)
    return text.replaceAll(shown, `<span class="credential"><span class="credential-value">${shown}</span></span>`)
  }, numbered)
  return `<pre><code class="hljs language-${escapeHtml(lang)}">${html}</code></pre>`
}
