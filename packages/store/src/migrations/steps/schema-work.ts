/** The steps of schema changes that run after a node has started, in the background. */
import { sleep } from '@waypost/platform/clock'
import { type PlannedStep, recordedSteps, stepsOf } from '../recorded-steps.ts'
import type { ContractStep, SchemaChange } from '../schema-change.ts'
import { runContract } from './contract-step.ts'
import { runStep, type StepRunner } from './run-step.ts'

/** How often a contract step looks whether older nodes have ended. */
const contractMs = 30_000

export interface SchemaWork {
  /** Runs all steps that are left. Returns those that this process did, and those that wait for older nodes. */
  finish(signal: AbortSignal): Promise<{ done: PlannedStep[]; waiting: PlannedStep[] }>
  /** Runs them until none is left or the signal aborts. Without steps it ends at once. */
  run(signal: AbortSignal, failed: (error: unknown) => void): Promise<void>
}

const isContract = (planned: PlannedStep): planned is PlannedStep & { step: ContractStep } =>
  planned.step.kind === 'contract'

export function createSchemaWork(
  options: Omit<StepRunner, 'signal'> & { changes: readonly SchemaChange[] },
): SchemaWork {
  const { database, changes } = options
  const pending = async (): Promise<PlannedStep[]> => {
    const done = new Set(
      (await recordedSteps(database)).filter(({ state }) => state === 'done').map((row) => `${row.number} ${row.step}`),
    )
    return stepsOf(changes, database.engine).filter(({ change, step }) => !done.has(`${change.number} ${step.name}`))
  }
  const finish: SchemaWork['finish'] = async (signal) => {
    const [done, waiting]: [PlannedStep[], PlannedStep[]] = [[], []]
    for (const planned of await pending()) {
      if (signal.aborted) break
      // The steps of a change run in their order; other changes do not wait.
      if (waiting.some(({ change }) => change === planned.change)) continue
      const runner = { ...options, signal }
      const outcome = isContract(planned) ? await runContract(runner, planned) : await runStep(runner, planned)
      if (outcome === 'waiting') waiting.push(planned)
      if (outcome === 'done') done.push(planned)
    }
    return { done, waiting }
  }
  return {
    finish,
    async run(signal, failed) {
      while (!signal.aborted) {
        const left = await finish(signal).catch((error) => {
          failed(error)
          return undefined
        })
        if (left?.waiting.length === 0) return
        await sleep(contractMs, signal)
      }
    },
  }
}
