/**
 * In a separate process: the mail server for both. On request it reports the messages received since the last
 * request, with times.
 */
import { startDiscard } from '../lag/discard.ts'
import { contend } from '../process.ts'

export interface SinkFacts {
  port: number
}

await contend<object, SinkFacts, 'taken', number[]>(async () => {
  const sink = await startDiscard()
  return {
    facts: { port: sink.port },
    answer: async () => sink.taken.splice(0),
    close: async () => sink[Symbol.asyncDispose](),
  }
})
