/** Results of calls. */
import type { WaypostFile } from './file.ts'

/** For routes that return no object, such as most deletes. */
export interface EmptyResult {
  /** Request id in the log of the service. */
  requestId: string
  /** The response headers. */
  headers: Headers
}

/** For routes that return an object. */
export interface DataResult<Data> extends EmptyResult {
  data: Data
}

/** For lists: one page, or everything if the list has no pages. */
export interface ListResult<Item> extends EmptyResult {
  data: Item[]
  /** The `page_token` of the next page; undefined on the last. */
  nextCursor: string | undefined
}

/** For routes that return a file. */
export interface FileResult extends EmptyResult, WaypostFile {}
