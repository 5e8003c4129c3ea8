// What cleaning works on: the lines of a body, from text or from HTML, each with what is known of its origin.

export interface CleanOptions {
  /** Keep the text of links only. */
  readonly ignore_links: boolean
  /** Leave out images. */
  readonly ignore_images: boolean
  /** Show images as `![alt](src)`, not as their address. */
  readonly images_as_markdown: boolean
  /** Show tables row by row, as text. */
  readonly ignore_tables: boolean
  /** Leave out "Best regards" and its like. */
  readonly remove_conclusion_phrases: boolean
  /** Show headings, lists, emphasis and links as Markdown. */
  readonly html_as_markdown: boolean
}

export interface Line {
  readonly text: string
  /** Whether it is quoted from an earlier message; `perhaps` for a quotation that may be the writer's own. */
  readonly quoted: 'no' | 'perhaps' | 'yes'
  /** Whether it stands under a line that is drawn as Outlook draws one above an earlier message. */
  readonly underRule?: boolean
}

/** So many are looked at; no message has more. */
export const MAX_LINES = 100_000

export const line = (text: string): Line => ({ text, quoted: 'no' })

/** The place of something quoted that was left out. */
export const LEFT_OUT: Line = { text: '', quoted: 'yes' }

/** The lines of plain text; those that begin with `>` are quoted. */
export function textLines(text: string): Line[] {
  return text.split('\n', MAX_LINES).map((each) => {
    const content = each.trimEnd()
    return { text: content, quoted: /^ {0,3}[>＞]/.test(content) ? 'yes' : 'no' }
  })
}

/** Lines as one text: no blanks around it, and nowhere two blank lines in a row. */
export function joinLines(lines: readonly Line[]): string {
  const kept: string[] = []
  for (const { text } of lines) {
    const content = text.trimEnd()
    if (content !== '' || (kept.length > 0 && kept.at(-1) !== '')) kept.push(content)
  }
  return kept.join('\n').trimEnd()
}
