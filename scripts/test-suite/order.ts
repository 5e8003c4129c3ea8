/**
 * The order of the test files, and their shards, by the committed table of times. The longest file starts first, so that
 * all workers end at about the same time. Shards have the same processor time.
 */
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readTable, type TimesTable } from './times-table.ts'

/** The longest first. A file without a recorded time is new, and starts before all others. */
export const longestFirst = (files: readonly string[], table: TimesTable): string[] =>
  files.toSorted((a, b) => (table[b]?.wall ?? Infinity) - (table[a]?.wall ?? Infinity) || (a < b ? -1 : 1))

/** Deals the files out to the shards: each goes, the costliest first, to the one with the least processor time. */
export function shardsOf(files: readonly string[], count: number, table: TimesTable): string[][] {
  const usual = 1
  const costOf = (file: string): number => table[file]?.cpu ?? usual
  const shards = Array.from({ length: count }, () => ({ files: [] as string[], cost: 0 }))
  const costliest = files.toSorted((a, b) => costOf(b) - costOf(a) || (a < b ? -1 : 1))
  for (const file of costliest) {
    const lightest = shards.reduce((least, each) => (each.cost < least.cost ? each : least))
    lightest.files.push(file)
    lightest.cost += costOf(file)
  }
  return shards.map((each) => each.files)
}

export class LongestFirst extends BaseSequencer {
  readonly #table = readTable()

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = longestFirst(files.map(this.#nameOf), this.#table)
    const places = new Map(order.map((name, place) => [name, place]))
    const placeOf = (file: TestSpecification): number => places.get(this.#nameOf(file)) ?? 0
    return files.toSorted((a, b) => placeOf(a) - placeOf(b))
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {}
    const own = new Set(shardsOf(files.map(this.#nameOf), count, this.#table)[index - 1])
    return files.filter((file) => own.has(this.#nameOf(file)))
  }

  #nameOf = ({ moduleId }: TestSpecification): string =>
    path.relative(this.ctx.config.root, moduleId).split(path.sep).join('/')
}
