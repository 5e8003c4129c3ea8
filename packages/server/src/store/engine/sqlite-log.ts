/**
 * The write-ahead log of a database file, brought to the disk by a thread beside the one that answers. SQLite is told not to
 * wait for that itself (`synchronous = normal`): a commit writes into the log, and whoever made it is answered when the log
 * is flushed. Checkpoints still bring the log to the disk before the file, and the file before the log is written over, so
 * that a power cut leaves what was flushed, and nothing torn.
 */
import { close, fdatasync, openSync } from 'node:fs'
import { StoreUnavailable } from './database.ts'

export class WriteAheadLog {
  readonly #file: number
  #flushing: Promise<void> | undefined
  #isTorn = false

  /** Of a file that is open, so that its log is there. SQLite keeps its locks on other files: this one can be closed. */
  constructor(file: string) {
    this.#file = openSync(`${file}-wal`, 'r+')
  }

  /** The way of the last commits to the disk; undefined when all are there. It never fails. */
  get flushing(): Promise<void> | undefined {
    return this.#flushing
  }

  /** What follows in the log would be lost with what could not be flushed: nothing may, until all of it is in the file. */
  get isTorn(): boolean {
    return this.#isTorn
  }

  mended(): void {
    this.#isTorn = false
  }

  /** Brings all that is committed to the disk; one at a time. */
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
