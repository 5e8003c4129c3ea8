/** A bare server in a process that loads nothing else; its port is the only argument. */
import { createServer } from 'node:http'

createServer((_request, response) => response.end('ok')).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
