/** In a process of its own: the mail server that both send by. Asked, it says when it took what since it was last asked. */
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
