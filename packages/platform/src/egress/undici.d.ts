/** The files of undici that are used. Loading all of undici would cost four times as much time and memory. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export = Client
}

declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'
  export = Agent
}

declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici'
  export = errors
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'

  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  export = request
}
