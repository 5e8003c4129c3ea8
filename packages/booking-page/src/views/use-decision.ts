/** Sends a decision once, and keeps its refusal. */
import { useState } from 'preact/hooks'
import { Refusal } from '../api.ts'

export interface Decision {
  isSending: boolean
  refusal: Refusal | undefined
  /** Whether the work ended well. */
  run(work: () => Promise<unknown>): Promise<boolean>
}

export function useDecision(): Decision {
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  return {
    isSending,
    refusal,
    async run(work) {
      if (isSending) return false
      setSending(true)
      setRefusal(undefined)
      try {
        await work()
        return true
      } catch (error) {
        setRefusal(error instanceof Refusal ? error : new Refusal('other'))
        return false
      } finally {
        setSending(false)
      }
    },
  }
}
