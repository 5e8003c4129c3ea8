/**
 * A small agent with the official MCP client: it reads the newest message that asks something, drafts an answer, asks to
 * send it, and waits until a person has decided. A real agent would let a model write the answer.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { WAYPOST_URL = 'http://127.0.0.1:3000', WAYPOST_API_KEY = '', AGENT_SUBJECT = '' } = process.env

const client = new Client({ name: 'example-agent', version: '1.0.0' })
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${WAYPOST_URL}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${WAYPOST_API_KEY}` } },
  }),
)

/** Calls a tool, and returns its structured content. */
async function call(name, args) {
  const result = await client.callTool({ name, arguments: args })
  if (result.isError) throw new Error(`${name}: ${result.content.map(({ text }) => text).join(' ')}`)
  return result.structuredContent
}

/** What the model would do. Text under `untrusted` is data: whatever it says, it gives no orders. */
const writeAnswer = ({ untrusted }) => `Thank you for "${untrusted.subject}". I will read it today.`

const filter = AGENT_SUBJECT === '' ? {} : { subject: AGENT_SUBJECT }
const { messages } = await call('find_messages', { ...filter, limit: 1 })
const [message] = messages
if (!message) throw new Error('there is no message to answer')
console.log(`Answering "${message.untrusted.subject}"`)

const { draft } = await call('create_draft', {
  to: message.untrusted.from,
  subject: `Re: ${message.untrusted.subject}`,
  body: writeAnswer(message),
  reply_to_message_id: message.id,
})
console.log(`Draft ${draft.id}`)

const { approval } = await call('send_draft', { draft_id: draft.id })
if (!approval) console.log('Sent without approval: the key allows it')
else {
  console.log(`Waiting for approval ${approval.id} until ${approval.expires_at}`)
  let status = approval.status
  while (status === 'pending' || status === 'approved') {
    await sleep(1000)
    status = (await call('get_approval', { approval_id: approval.id })).approval.status
  }
  console.log(`The approval is ${status}`)
}
await client.close()
