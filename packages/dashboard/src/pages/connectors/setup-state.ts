/** Progress of a setup: steps marked as done and the last test result, stored in this browser. */
import type { Connector, ConnectorTest } from '@waypost/sdk'
import { useState } from 'react'

/** Marks a test whose settings changed afterwards. It never equals a real change time. */
const changedSince = -1

interface StoredSetup {
  ticked: readonly string[]
  test?: { result: ConnectorTest; at: number; of: number }
}

function readStored(name: string): StoredSetup {
  try {
    const stored: StoredSetup = JSON.parse(localStorage.getItem(name) ?? '')
    return { ticked: Array.isArray(stored.ticked) ? stored.ticked : [], ...(stored.test ? { test: stored.test } : {}) }
  } catch {
    return { ticked: [] }
  }
}

export interface SetupState {
  isTicked(step: string): boolean
  tick(step: string, done: boolean): void
  test: { result: ConnectorTest; at: number; isOutdated: boolean } | undefined
  storeTest(result: ConnectorTest): void
  /** Number of saves on this page. `updated_at` has whole seconds, so two saves can have the same value. */
  saves: number
  countSave(): void
}

export function useSetupState(application: string, kind: string, connector: Connector | undefined): SetupState {
  const name = `waypost-setup-${application}-${kind}`
  const [stored, setStored] = useState(() => readStored(name))
  const [saves, setSaves] = useState(0)
  const store = (next: StoredSetup): void => {
    localStorage.setItem(name, JSON.stringify(next))
    setStored(next)
  }
  const { test } = stored
  return {
    isTicked: (step) => stored.ticked.includes(step),
    tick: (step, done) =>
      store({ ...stored, ticked: done ? [...stored.ticked, step] : stored.ticked.filter((each) => each !== step) }),
    test:
      test && connector
        ? { result: test.result, at: test.at, isOutdated: test.of !== connector.updated_at }
        : undefined,
    storeTest: (result) =>
      store({ ...stored, test: { result, at: Date.now() / 1000, of: connector?.updated_at ?? 0 } }),
    saves,
    countSave: () => {
      setSaves(saves + 1)
      if (test) store({ ...stored, test: { ...test, of: changedSince } })
    },
  }
}
