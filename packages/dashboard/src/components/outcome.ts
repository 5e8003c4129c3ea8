/** What follows a change that succeeded: the page reads its data again, and a toast confirms the change. */
import { showToast } from './toast.tsx'

export interface Outcome {
  /** Reloads what the change made stale. The form or dialog waits for it. */
  reload?: (() => Promise<unknown>) | undefined
  /** Text of the toast. */
  done?: string | undefined
}

/** Carries out a change and what follows it. */
export async function carryOut<T>(change: () => Promise<T>, { reload, done }: Outcome): Promise<T> {
  const result = await change()
  await reload?.()
  if (done !== undefined) showToast(done)
  return result
}
