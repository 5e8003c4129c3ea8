#!/usr/bin/env node
// Ends with 0 where the node with the settings of this environment answers: what a container is asked about its health.
const { WAYPOST_PORT, WAYPOST_HOST = '127.0.0.1' } = process.env
const host = ['0.0.0.0', '::'].includes(WAYPOST_HOST) ? 'localhost' : WAYPOST_HOST
const address = `http://${host.includes(':') ? `[${host}]` : host}:${WAYPOST_PORT || 3000}/health`

try {
  const { status } = await fetch(address, { signal: AbortSignal.timeout(4_000) })
  if (status !== 200) throw new Error(`status ${status}`)
} catch (error) {
  console.error(`${address}: ${error.cause?.message || error.message}`)
  process.exitCode = 1
}
