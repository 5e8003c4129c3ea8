/** A start that is killed in the middle of the n-th transaction, before it is committed: `dying-start <n>`. */
import { readConfig } from '../../../src/config.ts'
import { dieAt } from './dying.ts'

const { config, secrets } = readConfig({ ...process.env, NODE_ENV: 'test' })
await dieAt(Number(process.argv[2]), { config, secrets }, () => process.kill(process.pid, 'SIGKILL'))
