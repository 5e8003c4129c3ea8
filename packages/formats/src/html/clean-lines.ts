/** The input of cleaning: the lines of a body, from text or HTML, each with information about its origin. */

export interface CleanOptions {
  /** Keeps only the text of links. */
  readonly ignore_links: boolean
  /** Omits images. */
  readonly ignore_images: boolean
  /** Writes images as `![alt](src)` instead of their address. */
  readonly images_as_markdown: boolean
  /** Writes tables row by row, as text. */
  readonly ignore_tables: boolean
  /** Removes "Best regards" and similar phrases. */
  readonly remove_conclusion_phrases: boolean
  /** Writes headings, lists, emphasis and links as Markdown. */
  readonly html_as_markdown: boolean
}

export interface Line {
  readonly text: string
  /** Whether it is quoted from an earlier message; `perhaps` for a quotation that may be the author's own. */
  readonly quoted: 'no' | 'perhaps' | 'yes'
  /** Whether it is below a rule that looks like Outlook's rule above an earlier message. */
  readonly underRule?: boolean
}

/** The number of lines to process; no message has more. */
export const MAX_LINES = 100_000

export const line = (text: string): Line => ({ text, quoted: 'no' })

/** Marks the position of omitted quoted content. */
export const LEFT_OUT: Line = { text: '', quoted: 'yes' }

/** The lines of plain text; those that begin with `>` are quoted. */
export function textLines(text: string): Line[] {
  return text.split('\n', MAX_LINES).map((each) => {
    const content = each.trimEnd()
    return { text: content, quoted: /^ {0,3}[>＞]/.test(content) ? 'yes' : 'no' }
  })
}

/** Joins lines into one text, without surrounding blanks and without consecutive blank lines. */
export function joinLines(lines: readonly Line[]): string {
  const retained: string[] = []
  for (const { text } of lines) {
    const content = text.trimEnd()
    if (content !== '' || (retained.length > 0 && retained.at(-1) !== '')) retained.push(content)
  }
  return retained.join('\n').trimEnd()
}
