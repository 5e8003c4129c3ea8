/** Memory of a node by kind, from `/metrics`: the spaces of V8's heap, buffers, and the rest. */
import { type FigureRow, rowOf } from '../figures.ts'
import { residentOf } from '../service-process.ts'

const megabyte = 2 ** 20

/** The young spaces of V8's heap; all others are old. */
const youngSpaces = ['new', 'new_large_object']
const codeSpaces = ['code', 'code_large_object', 'trusted', 'trusted_large_object']

/** One row per kind; `when` describes the preceding work. */
export async function kindsOf(when: string, { pid, base }: { pid: number; base: string }): Promise<FigureRow[]> {
  const text = await (await fetch(`${base}/metrics`)).text()
  const figure = (name: string): number => Number(new RegExp(`^waypost_${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const sizeOf = (spaces: readonly string[]): number =>
    spaces.reduce((sum, space) => sum + figure(`nodejs_heap_space_size_total_bytes\\{space="${space}"\\}`), 0)
  const row = (kind: string, bytes: number): FigureRow =>
    rowOf(`By kind, ${when}: ${kind}`, { figure: bytes / megabyte, unit: 'MB' })
  const heap = figure('nodejs_heap_size_total_bytes')
  const buffers = figure('nodejs_external_memory_bytes')
  if (heap === 0) throw new Error('the node tells nothing of its heap')
  const [young, code] = [sizeOf(youngSpaces), sizeOf(codeSpaces)]
  return [
    row('young objects', young),
    row('old objects', heap - young - code),
    row('compiled code', code),
    row('buffers', buffers),
    row('Node itself, libraries, threads', residentOf(pid) * megabyte - heap - buffers),
  ]
}
