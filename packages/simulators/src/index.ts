export type { AccountSeed as ExchangeAccountSeed, SimulatedAccount as SimulatedExchangeAccount } from './ews/account.ts'
export type { ExchangeFailure } from './ews/faults.ts'
export { seededExchange } from './ews/seed.ts'
export { type ExchangeOptions, type ExchangeSimulator, startExchange } from './ews/simulator.ts'
export type { AccountSeed, SimulatedAccount } from './google/account.ts'
export type { GoogleFailure } from './google/faults.ts'
export type { MailEntry, SimulatedMail } from './google/gmail/mail.ts'
export { seededGoogle } from './google/seed.ts'
export { type GoogleOptions, type GoogleSimulator, startGoogle } from './google/simulator.ts'
export type { PushSubscription } from './google/world.ts'
export type {
  AccountSeed as MicrosoftAccountSeed,
  SimulatedAccount as SimulatedMicrosoftAccount,
} from './microsoft/account.ts'
export type { MicrosoftFailure } from './microsoft/faults.ts'
export { seededMicrosoft } from './microsoft/seed.ts'
export {
  type MicrosoftOptions,
  type MicrosoftSimulator,
  startMicrosoft,
} from './microsoft/simulator.ts'
export type { PubSubRole } from './pubsub/access.ts'
export { type PubSubFailure, type PubSubOptions, type PubSubSimulator, startPubSub } from './pubsub/simulator.ts'
export type { PubSubMessage } from './pubsub/topics.ts'
export type { FaultMatch } from './shared/faults.ts'
export type {
  ConsentAnswer as YahooConsentAnswer,
  ConsentAnswer as ZoomConsentAnswer,
  OAuthOptions as ZoomOptions,
  ScopedConsentAnswer as ConsentAnswer,
  ScopedConsentAnswer as MicrosoftConsentAnswer,
} from './shared/oauth/simulator.ts'
export type { Call, Exchange } from './shared/traffic.ts'
export type { SnsMessage } from './sns/messages.ts'
export { type SnsFailure, type SnsOptions, type SnsSimulator, startSns } from './sns/simulator.ts'
export {
  defaultPorts,
  type SimulatorKind,
  type StartedAccount,
  type StartedSimulator,
  simulatorKinds,
  startSimulator,
} from './start.ts'
export type { AccountSeed as YahooAccountSeed, SimulatedYahooAccount } from './yahoo/account.ts'
export type { YahooFailure } from './yahoo/faults.ts'
export { seededYahoo } from './yahoo/seed.ts'
export { startYahoo, type YahooOptions, type YahooSimulator } from './yahoo/simulator.ts'
export type { AccountSeed as ZoomAccountSeed, SimulatedZoomAccount } from './zoom/account.ts'
export type { ZoomFailure } from './zoom/faults.ts'
export type { SimulatedMeeting as SimulatedZoomMeeting } from './zoom/meetings.ts'
export { seededZoom } from './zoom/seed.ts'
export { startZoom, type ZoomSimulator } from './zoom/simulator.ts'
export type { ZoomClient } from './zoom/zoom.ts'
