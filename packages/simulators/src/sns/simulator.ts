// One simulated region of Amazon SNS, with STS for assumed roles on the same port. State is in memory.
import type { Failure } from '../shared/faults.ts'
import type { RawAnswer, RawRequest } from '../shared/http.ts'
import { pause } from '../shared/pushes.ts'
import { openSimulator, type Simulator, type SimulatorOptions } from '../shared/simulator.ts'
import { perform, type SnsService } from './actions.ts'
import { AwsError, refusalAnswer, resultAnswer, type SnsRefusal, snsNamespace, stsNamespace } from './errors.ts'
import { type AccessKey, Identities, type RoleSeed } from './identities.ts'
import type { SnsMessage } from './messages.ts'
import { Topics } from './topics.ts'

export type SnsFailure = Failure<SnsRefusal>

export interface SnsOptions extends SimulatorOptions {
  /** Default `us-east-1`. */
  readonly region?: string
  /** Delays every response. */
  readonly latencyMs?: number
  /** Messages in each second of the clock before `Throttling`; default: unlimited. */
  readonly messagesPerSecond?: number
}

export interface SnsSimulator extends Simulator<SnsFailure> {
  readonly region: string
  /** The number of the AWS account. */
  readonly account: string
  /** Creates a user with an access key. `actions`: what the user may do, default everything. */
  addUser(actions?: readonly string[]): AccessKey
  setActions(accessKeyId: string, actions: readonly string[]): void
  deleteKey(accessKeyId: string): void
  /** Creates a role, which every user of the account with `sts:AssumeRole` may assume, and returns its ARN. */
  addRole(role: RoleSeed): string
  /** The temporary keys of roles end. */
  expireSessions(): void
  /** Creates a topic and returns its ARN. A name that ends in `.fifo` makes a FIFO topic. */
  addTopic(name: string): string
  deleteTopic(arn: string): void
  /** Everything that was published to a topic, oldest first. */
  messages(arn: string): readonly SnsMessage[]
}

const ACCOUNT = '123456789012'
const stsVersion = '2011-06-15'

const formOf = ({ body }: RawRequest): URLSearchParams => new URLSearchParams(Buffer.from(body).toString())
const actionOf = (request: RawRequest): string | undefined => formOf(request).get('Action') ?? undefined

/** Starts a simulated SNS without topics. */
export async function startSns(options: SnsOptions = {}): Promise<SnsSimulator> {
  const { now = Date.now, region = 'us-east-1', latencyMs = 0 } = options
  const { simulator, answerWith } = await openSimulator(
    options,
    (refusal: SnsRefusal) => refusalAnswer(refusal),
    actionOf,
  )
  const identities = new Identities(ACCOUNT, now)
  const topics = new Topics({ region, account: ACCOUNT }, now)
  const service: SnsService = { topics, spend: createRate(options.messagesPerSecond, now) }

  async function answer(request: RawRequest): Promise<RawAnswer> {
    if (latencyMs > 0 && request.signal) await pause(latencyMs, request.signal)
    const form = formOf(request)
    const isSts = form.get('Version') === stsVersion
    const namespace = isSts ? stsNamespace : snsNamespace
    try {
      const principal = identities.authenticate(request, { region, service: isSts ? 'sts' : 'sns' })
      const action = form.get('Action') ?? ''
      if (!isSts) return resultAnswer(action, perform(service, principal, form), namespace)
      if (action === 'AssumeRole') return resultAnswer(action, identities.assumeRole(principal, form), namespace)
      throw new AwsError(400, 'InvalidAction', `Could not find operation ${action} for version ${stsVersion}`)
    } catch (error) {
      if (error instanceof AwsError) return refusalAnswer(error, namespace)
      throw error
    }
  }

  answerWith(answer)

  return {
    ...simulator,
    region,
    account: ACCOUNT,
    addUser: (actions = ['*']) => identities.addUser(actions),
    setActions: (id, actions) => identities.setActions(id, actions),
    deleteKey: (id) => identities.deleteKey(id),
    addRole: (role) => identities.addRole(role),
    expireSessions: () => identities.expireSessions(),
    addTopic: (name) => topics.create(name, { FifoTopic: String(name.endsWith('.fifo')) }),
    deleteTopic: (arn) => topics.delete(arn),
    messages: (arn) => topics.messages(arn),
  }
}

/** Counts messages per second of the clock. */
function createRate(max: number | undefined, now: () => number): (messages: number) => void {
  let second = 0
  let spent = 0
  return (messages) => {
    const current = Math.floor(now() / 1000)
    if (current !== second) {
      second = current
      spent = 0
    }
    spent += messages
    if (max !== undefined && spent > max) throw new AwsError(400, 'Throttling', 'Rate exceeded')
  }
}
