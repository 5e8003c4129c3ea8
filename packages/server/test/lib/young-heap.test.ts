import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type HeapProcess, lookAtYoungHeap } from '../../src/lib/young-heap.ts'

const megabyte = 1024 * 1024

function heapOf(young: number): HeapProcess & { part: number; collected: number } {
  const heap = {
    ...{ part: 0, collected: 0 },
    busy: () => heap.part,
    young: () => young,
    collect: () => void heap.collected++,
  }
  return heap
}

test('a process at rest collects the young part of its heap, a few times at most until there was work again', () => {
  const heap = heapOf(15 * megabyte)
  let collections = 0
  for (let look = 0; look < 10; look++) collections = lookAtYoungHeap(heap, collections)
  expect(heap.collected).toBe(3)
  heap.part = 0.5
  collections = lookAtYoungHeap(heap, collections)
  heap.part = 0
  lookAtYoungHeap(heap, collections)
  expect(heap.collected).toBe(4)
})

test('a process with work, or with a small young part, is left alone', () => {
  const busy = heapOf(15 * megabyte)
  busy.part = 0.2
  lookAtYoungHeap(busy, 0)
  const small = heapOf(2 * megabyte)
  lookAtYoungHeap(small, 0)
  expect([busy.collected, small.collected]).toEqual([0, 0])
})

test('V8 lets itself be asked, and shows it to nobody else', () => {
  const source = new URL('../../src/lib/young-heap.ts', import.meta.url)
  const program = `
    import { PerformanceObserver } from 'node:perf_hooks'
    import { runInNewContext } from 'node:vm'
    import { giveBackYoungHeap } from '${source}'
    let minor = 0
    new PerformanceObserver((list) => { minor += list.getEntries().length }).observe({ entryTypes: ['gc'] })
    const kept = []
    for (let turn = 0; turn < 60; turn++) kept.push(Array.from({ length: 20_000 }, (_, at) => ({ at })))
    giveBackYoungHeap()
    setTimeout(() => { minor = 0 }, 3_500)
    setTimeout(() => console.log(JSON.stringify({ asked: minor > 0, shown: runInNewContext('typeof gc') })), 9_500)`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(JSON.parse(output)).toEqual({ asked: true, shown: 'undefined' })
})
