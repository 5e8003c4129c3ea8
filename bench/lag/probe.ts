/** In a separate thread: requests a node's health repeatedly, and reports the time of the slowest response. */
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const everyMs = 10
let slowest = 0
let answers = 0
parentPort?.on('message', () => {
  parentPort?.postMessage({ slowest, answers })
  slowest = 0
  answers = 0
})

function ask(): void {
  const begun = performance.now()
  const done = (): void => {
    slowest = Math.max(slowest, performance.now() - begun)
    answers++
    setTimeout(ask, everyMs)
  }
  const requested = request(workerData.url, { agent: false }, (response) => response.resume().on('end', done))
  requested.on('error', done).end()
}
ask()
