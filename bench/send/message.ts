/** The sent messages, in the form of the API and in the form of the floor. */
export const sizes = { '1 KB': 1_000, '200 KB': 200_000 } as const
export type Size = keyof typeof sizes

const line = 'Some text of a line, as somebody writes it.\n'

/** A small message is mostly text; a large one is mostly a file. */
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
