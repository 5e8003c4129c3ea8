// Change keys: the version of an item that a client must have read before it may change the item.
import { EwsError } from '../soap/errors.ts'
import type { StoredItem } from '../store/stored.ts'

const stale =
  'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.'

/** For operations that accept only the latest change key. */
export function checkChangeKey(item: StoredItem, given: string | undefined): void {
  if (given === undefined || given === '') throw changeKeyRequired()
  if (given !== item.changeKey) throw new EwsError('ErrorStaleObject', stale)
}

export const changeKeyRequired = (): EwsError =>
  new EwsError('ErrorChangeKeyRequiredForWriteOperations', 'The change key is required for this operation.')

/** The properties changed since a change key, as far as they are recorded. */
interface Edit {
  readonly before: string
  readonly paths: ReadonlySet<string>
}

const edits = new WeakMap<StoredItem, Edit[]>()

export function rememberEdit(item: StoredItem, edit: Edit): void {
  edits.set(item, [...(edits.get(item) ?? []), edit])
}

/** Throws if a change conflicts with other changes since the change key `given`. */
export function checkConflict(
  item: StoredItem,
  given: string | undefined,
  { resolution, paths }: { resolution: string; paths: ReadonlySet<string> },
): void {
  if (resolution === 'AlwaysOverwrite') return
  if (given === undefined || given === '') throw changeKeyRequired()
  if (given === item.changeKey) return
  const since = edits.get(item) ?? []
  const from = since.findIndex(({ before }) => before === given)
  const touched = from < 0 ? new Set<string>() : new Set(since.slice(from).flatMap((edit) => [...edit.paths]))
  if (resolution === 'AutoResolve' && paths.isDisjointFrom(touched)) return
  throw new EwsError(
    'ErrorIrresolvableConflict',
    'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.',
  )
}
