/** What calls give. */
import type { WaypostFile } from './file.ts'

/** Of a route that answers without an object, as most deletes. */
export interface EmptyResult {
  /** What the log of the service has the call under. */
  requestId: string
  /** The headers of the answer. */
  headers: Headers
}

/** Of a route that answers with an object. */
export interface DataResult<Data> extends EmptyResult {
  data: Data
}

/** Of a list: one page of it, or all where it has no pages. */
export interface ListResult<Item> extends EmptyResult {
  data: Item[]
  /** The `page_token` of the next page; undefined on the last. */
  nextCursor: string | undefined
}

/** Of a route that answers with a file. */
export interface FileResult extends EmptyResult, WaypostFile {}
