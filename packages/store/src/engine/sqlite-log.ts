/**
 * The write-ahead log of a database file, flushed to the disk on another thread. SQLite itself does not wait for the
 * disk (`synchronous = normal`): a commit only writes to the log, and its caller gets the result when the log is
 * flushed. Checkpoints still flush the log before the file, and the file before the log is overwritten. So after a
 * power failure, all flushed commits are there and none is torn.
 */
import { close, fdatasync, openSync } from 'node:fs'
import { StoreUnavailable } from './database.ts'

export class WriteAheadLog {
  readonly #file: number
  #flushing: Promise<void> | undefined
  #isTorn = false

  /**
   * The file must be open, so that its log exists. SQLite's locks are on other files, so closing this one releases
   * none.
   */
  constructor(file: string) {
    this.#file = openSync(`${file}-wal`, 'r+')
  }

  /** The flush in progress, or undefined if all commits are on the disk. It never rejects. */
  get flushing(): Promise<void> | undefined {
    return this.#flushing
  }

  /**
   * True after a failed flush. Later commits would be lost with the unflushed ones, so none is allowed until a
   * checkpoint.
   */
  get isTorn(): boolean {
    return this.#isTorn
  }

  mended(): void {
    this.#isTorn = false
  }

  /** Flushes all commits to the disk. Only one flush may run at a time. */
  flush(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#flushing = promise.catch(() => undefined)
    fdatasync(this.#file, (error) => {
      this.#flushing = undefined
      if (!error) return resolve()
      this.#isTorn = true
      reject(new StoreUnavailable('the disk failed', error))
    })
    return promise
  }

  close(): void {
    close(this.#file)
  }
}
