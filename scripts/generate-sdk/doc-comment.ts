/** Doc comments of the generated files. */

const width = 110

/** A paragraph in lines of readable length. */
function wrapped(paragraph: string): string[] {
  const lines: string[] = []
  for (const word of paragraph.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Paragraphs as a doc comment that ends with a line break; empty if there are none. */
export function docComment(paragraphs: readonly (string | undefined)[], indent = ''): string {
  const said = paragraphs.filter((text) => text !== undefined && text.trim() !== '')
  const lines = said.flatMap((text, index) => [...(index > 0 ? [''] : []), ...wrapped(String(text).trim())])
  // Escapes text that would end the comment or start a tag.
  const safe = lines.map((line) => line.replaceAll('*/', '*\u200b/').replace(/^@/, '\\@'))
  if (safe.length === 0) return ''
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
