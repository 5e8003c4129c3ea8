import { createLoad, type Load } from '../src/telemetry/load.ts'

/** Load shedding without time: requests wait for their turn, and a busy machine makes no request wait too long. */
export const patientLoad = (): Load => createLoad({ now: () => 0 })
