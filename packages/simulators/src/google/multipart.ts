// Multipart bodies of batches and uploads (RFC 2046 section 5.1).

export interface Part {
  readonly headers: Headers
  readonly body: Uint8Array
}

/** The parts of a body; undefined if the content type has no boundary. */
export function readMultipart(contentType: string, body: Uint8Array): Part[] | undefined {
  const match = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) return undefined
  const text = Buffer.from(body).toString('latin1')
  const mark = `--${boundary}`
  const parts: Part[] = []
  let at = nextMark(text, mark, 0)
  while (at >= 0 && !text.startsWith('--', at + mark.length)) {
    const lineEnd = text.indexOf('\n', at)
    if (lineEnd < 0) break
    const next = nextMark(text, mark, lineEnd)
    if (next < 0) break
    const content = text.slice(lineEnd + 1, next).replace(/\r?\n$/, '')
    parts.push(readPart(content))
    at = next
  }
  return parts
}

/** The position of the next line that begins with the mark. */
function nextMark(text: string, mark: string, from: number): number {
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (at === 0 || text[at - 1] === '\n') return at
  }
  return -1
}

function readPart(content: string): Part {
  const headers = new Headers()
  const bare = /^\r?\n/.exec(content)
  const end = bare ?? /\r?\n\r?\n/.exec(content)
  const head = bare === null ? content.slice(0, end?.index ?? content.length) : ''
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  const start = end === null ? content.length : end.index + end[0].length
  return { headers, body: Buffer.from(content.slice(start), 'latin1') }
}
