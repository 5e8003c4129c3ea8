// Edits the header of a message and leaves every other byte unchanged.

interface Split {
  /** One field each, with its continuation lines and its line end. */
  readonly fields: string[]
  readonly rest: Buffer
  readonly lineEnd: string
}

export function hasField(raw: Uint8Array, name: string): boolean {
  return split(raw).fields.some((field) => isNamed(field, name))
}

export function removeField(raw: Uint8Array, name: string): Uint8Array {
  const { fields, ...whole } = split(raw)
  return join({ ...whole, fields: fields.filter((field) => !isNamed(field, name)) })
}

export function prependFields(raw: Uint8Array, lines: readonly string[]): Uint8Array {
  const { fields, ...whole } = split(raw)
  return join({ ...whole, fields: [...lines.map((line) => line + whole.lineEnd), ...fields] })
}

/** Replaces the field in place, or appends it. */
export function setField(raw: Uint8Array, name: string, value: string): Uint8Array {
  const { fields, ...whole } = split(raw)
  const field = `${name}: ${value}${whole.lineEnd}`
  const at = fields.findIndex((other) => isNamed(other, name))
  const retained = fields.filter((other, index) => index < at || !isNamed(other, name))
  retained.splice(at < 0 ? retained.length : at, 0, field)
  return join({ ...whole, fields: retained })
}

/** Reads the header as Latin-1 and writes it as UTF-8. ASCII does not change. */
export function recodeHeader(raw: Uint8Array): Uint8Array {
  const { fields, rest } = split(raw)
  return Buffer.concat([Buffer.from(fields.join(''), 'utf8'), rest])
}

function isNamed(field: string, name: string): boolean {
  return field.slice(0, name.length + 1).toLowerCase() === `${name.toLowerCase()}:`
}

function split(raw: Uint8Array): Split {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length)
  let text: string
  let end: RegExpExecArray | null
  let size = 16_384
  // The header is short, and the message may have many megabytes.
  do {
    size *= 4
    text = bytes.toString('latin1', 0, size)
    end = /^\r?\n|\r?\n\r?\n/.exec(text)
  } while (end === null && size < bytes.length)
  const headLength = end === null ? text.length : end.index === 0 ? 0 : end.index + end[0].length / 2
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\r\n'
  let head = text.slice(0, headLength)
  if (head !== '' && !head.endsWith('\n')) head += lineEnd
  const fields = head === '' ? [] : head.split(/(?<=\n)(?![ \t])/)
  return { fields, rest: bytes.subarray(headLength), lineEnd }
}

function join({ fields, rest }: Split): Uint8Array {
  return Buffer.concat([Buffer.from(fields.join(''), 'latin1'), rest])
}
