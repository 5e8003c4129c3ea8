/** Transfers a tree of elements from the thread that parsed it, in slices (`parsing/slices.ts`). */
import { type Slices, SliceWriter, unpackSlices } from '../parsing/slices.ts'
import { type XmlElement, XmlError } from './xml.ts'

/** An element without its children. The root has depth 0. */
interface FlatElement extends Omit<XmlElement, 'children'> {
  depth: number
}

export function flattenXml(root: XmlElement): Slices {
  const writer = new SliceWriter<FlatElement>()
  const write = ({ children, ...element }: XmlElement, depth: number): void => {
    writer.add({ ...element, depth }, { characters: element.text.length, objects: 1 })
    for (const child of children) write(child, depth + 1)
  }
  write(root, 0)
  return writer.slices()
}

type OpenElement = Omit<XmlElement, 'children'> & { children: XmlElement[] }

export async function unflattenXml(slices: Slices): Promise<XmlElement> {
  const open: OpenElement[] = []
  await unpackSlices<FlatElement>(slices, ({ depth, ...element }) => {
    const opened: OpenElement = { ...element, children: [] }
    open[depth - 1]?.children.push(opened)
    open[depth] = opened
  })
  const [root] = open
  if (root === undefined) throw new XmlError('the document is empty')
  return root
}
