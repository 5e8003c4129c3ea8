/** How far a set-up is: what was ticked off by hand, and how the last test ended, kept in this browser. */
import type { Connector, ConnectorTest } from '@waypost/sdk'
import { useState } from 'react'

/** Of no time at which a connector was changed: the test was of other settings. */
const changedSince = -1

interface Kept {
  ticked: readonly string[]
  test?: { result: ConnectorTest; at: number; of: number }
}

function readKept(name: string): Kept {
  try {
    const kept: Kept = JSON.parse(localStorage.getItem(name) ?? '')
    return { ticked: Array.isArray(kept.ticked) ? kept.ticked : [], ...(kept.test ? { test: kept.test } : {}) }
  } catch {
    return { ticked: [] }
  }
}

export interface SetupState {
  isTicked(step: string): boolean
  tick(step: string, done: boolean): void
  test: { result: ConnectorTest; at: number; isOutdated: boolean } | undefined
  keepTest(result: ConnectorTest): void
  /** How often the settings were saved on this page: `updated_at` counts whole seconds, in which two saves fit. */
  saves: number
  countSave(): void
}

export function useSetupState(application: string, kind: string, connector: Connector | undefined): SetupState {
  const name = `waypost-setup-${application}-${kind}`
  const [kept, setKept] = useState(() => readKept(name))
  const [saves, setSaves] = useState(0)
  const keep = (next: Kept): void => {
    localStorage.setItem(name, JSON.stringify(next))
    setKept(next)
  }
  const { test } = kept
  return {
    isTicked: (step) => kept.ticked.includes(step),
    tick: (step, done) =>
      keep({ ...kept, ticked: done ? [...kept.ticked, step] : kept.ticked.filter((each) => each !== step) }),
    test:
      test && connector
        ? { result: test.result, at: test.at, isOutdated: test.of !== connector.updated_at }
        : undefined,
    keepTest: (result) => keep({ ...kept, test: { result, at: Date.now() / 1000, of: connector?.updated_at ?? 0 } }),
    saves,
    countSave: () => {
      setSaves(saves + 1)
      if (test) keep({ ...kept, test: { ...test, of: changedSince } })
    },
  }
}
