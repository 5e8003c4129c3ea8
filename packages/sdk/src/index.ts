export type * from '@waypost/contract'
export {
  type Arguments,
  type ClientOf,
  createWaypost,
  type Operation,
  type Result,
  type WaypostClient,
} from './client.ts'
export type { WaypostOptions } from './options.ts'
export { type LocalErrorType, WaypostError, type WaypostErrorType } from './waypost-error.ts'
