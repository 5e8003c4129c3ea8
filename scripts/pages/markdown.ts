/** Converts a Markdown page to HTML, with the same anchors as GitHub, because its links use them. */
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml, highlight } from '../../packages/docs/src/highlight.ts'

export interface Section {
  id: string
  depth: number
  title: string
  /** The plain text. */
  text: string
}

export interface Rendered {
  title: string
  /** The first paragraph, as text. */
  summary: string
  html: string
  sections: Section[]
}

export interface Links {
  /** The target of a link; undefined if the target is not served. */
  link(href: string): string | undefined
  image(href: string): string | undefined
}

/** The text of tokens without markup. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('')

/** The text of a table, which stores its tokens differently. */
const textOf = (token: Token): string => {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => plainText(tokens))).join(' ')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
  return plainText([token])
}

/** Gives headings the same ids as GitHub. */
function slugs(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  }
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const slug = slugs()
  const sections: Section[] = []
  for (const token of tokens) {
    if (token.type === 'heading') {
      const title = plainText((token as Tokens.Heading).tokens)
      sections.push({ id: slug(title), depth: (token as Tokens.Heading).depth, title, text: '' })
    } else if (token.type !== 'html') {
      const last = sections.at(-1)
      if (last) last.text += ` ${textOf(token)}`
    }
  }
  return sections
}

function parserFor(links: Links, sections: readonly Section[]): Marked {
  const ids = sections.map(({ id }) => id)
  let at = 0
  const parser: Marked = new Marked({ gfm: true })
  parser.use({
    renderer: {
      // HTML in the pages is only comments, for authors.
      html: () => '',
      heading({ depth, tokens }) {
        const id = escapeHtml(ids[at++] ?? '')
        const text = this.parser.parseInline(tokens)
        const anchor = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${text}${anchor}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const to = links.link(href)
        return to === undefined ? text : `<a href="${escapeHtml(to)}">${text}</a>`
      },
      image({ href, text }) {
        const from = links.image(href)
        return from === undefined
          ? escapeHtml(text)
          : `<img src="${escapeHtml(from)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ text, lang = '' }) {
        const language = lang.split(/\s/, 1)[0] ?? ''
        return `<div class="code"><pre tabindex="0"><code>${highlight(text, language)}</code></pre></div>\n`
      },
    },
  })
  return parser
}

/** Wide tables scroll separately, also with the keyboard. */
function withScrolling(html: string): string {
  let count = 0
  return html
    .replaceAll('<table>', () => `<div class="table" role="region" aria-label="Table ${++count}" tabindex="0"><table>`)
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th></th>', '<td></td>')
}

export function renderMarkdown(markdown: string, links: Links): Rendered {
  const tokens = new Marked({ gfm: true }).lexer(markdown)
  const sections = sectionsOf(tokens)
  const first = tokens.find(({ type }) => type === 'paragraph')
  return {
    title: sections[0]?.title ?? '',
    summary: first ? textOf(first).replace(/\s+/g, ' ') : '',
    html: withScrolling(parserFor(links, sections).parse(markdown, { async: false })),
    sections,
  }
}
