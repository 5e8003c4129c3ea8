// The pages of lists: by position, or by a fraction of all rows.
import { EwsError } from '../soap/errors.ts'
import { childOf, type XmlNode } from '../xml/read.ts'

export interface PageView {
  readonly max: number
  /** Where the page starts, given the number of rows. */
  start(rows: number): { readonly from: number; readonly isFromEnd: boolean }
  readonly isFractional: boolean
}

/** Parses `IndexedPageItemView`, `FractionalPageFolderView` and the like; without one, all rows are requested. */
export function readPageView(request: XmlNode, of: 'Item' | 'Folder'): PageView {
  const indexed = childOf(request, `IndexedPage${of}View`)
  const fractional = childOf(request, `FractionalPage${of}View`)
  const max = Number((indexed ?? fractional)?.attributes.MaxEntriesReturned ?? Number.POSITIVE_INFINITY)
  if (!(max > 0)) throw new EwsError('ErrorInvalidPagingMaxRows', 'Paging max rows must be greater than zero.')
  if (fractional !== undefined) return { max, isFractional: true, start: fractionStart(fractional) }
  const { Offset = '0', BasePoint = 'Beginning' } = indexed?.attributes ?? {}
  const offset = Number(Offset)
  if (!(offset >= 0)) throw new EwsError('ErrorInvalidIndexedPagingParameters', 'Invalid indexed paging parameters.')
  return { max, isFractional: false, start: () => ({ from: offset, isFromEnd: BasePoint === 'End' }) }
}

function fractionStart({ attributes }: XmlNode): PageView['start'] {
  const numerator = Number(attributes.Numerator)
  const denominator = Number(attributes.Denominator)
  if (!(denominator > 0) || !(numerator >= 0) || numerator > denominator) {
    throw new EwsError('ErrorInvalidFractionalPagingParameters', 'Invalid fractional paging parameters.')
  }
  return (rows) => ({ from: Math.floor((rows * numerator) / denominator), isFromEnd: false })
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** The attributes of `RootFolder`. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** One page of all rows, with at most `max` rows. */
export function pageOf<Row>(all: readonly Row[], view: PageView, max = 1000): Page<Row> {
  const { from, isFromEnd } = view.start(all.length)
  const count = Math.min(view.max, max)
  // Counted from the end, the page ends `from` rows before the last.
  const first = isFromEnd ? Math.max(0, all.length - from - count) : from
  const last = isFromEnd ? Math.max(0, all.length - from) : Math.min(all.length, from + count)
  const isLast = isFromEnd ? first === 0 : last >= all.length
  const position = isFromEnd ? from + (last - first) : last
  return {
    rows: all.slice(first, last),
    attributes: {
      ...(view.isFractional
        ? { NumeratorOffset: last, AbsoluteDenominator: Math.max(1, all.length) }
        : { IndexedPagingOffset: position }),
      TotalItemsInView: all.length,
      IncludesLastItemInRange: isLast,
    },
  }
}
