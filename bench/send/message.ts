/** The messages that are sent, as a client of the API writes them and as the floor does. */
export const sizes = { '1 KB': 1_000, '200 KB': 200_000 } as const
export type Size = keyof typeof sizes

const line = 'Some text of a line, as somebody writes it.\n'

/** Of a small message the text is long; of a large one most is a file. */
export interface Content {
  subject: string
  text: string
  file: Buffer | undefined
}

const files = new Map<Size, Buffer>()

export function contentOf(size: Size): Content {
  if (size === '1 KB') return { subject: 'Bench', text: line.repeat(20), file: undefined }
  const file = files.get(size) ?? Buffer.alloc(Math.round((sizes[size] * 54) / 74), 'bytes of a file ')
  files.set(size, file)
  return { subject: 'Bench', text: line.repeat(20), file }
}
