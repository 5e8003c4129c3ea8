/* Made from the contract by `npm run generate`; do not edit. */

/** Every error that the API answers with, by its name in the contract. */
export const errors = {
  unauthorized: {
    status: 401,
    type: 'token.unauthorized_access',
    temporary: false,
    title: 'Bearer token invalid',
    remedy: 'Send `Authorization: Bearer <API key>` with a key that is neither revoked nor expired.',
  },
  grant_invalid: {
    status: 401,
    type: 'grant.invalid_authentication',
    temporary: false,
    title: 'The grant is invalid: the end user must re-authenticate',
    remedy: 'Ask the end user to authenticate again with the same address; the grant keeps its id.',
  },
  api_key_required: {
    status: 401,
    type: 'api.authentication_error',
    temporary: false,
    title: 'An access token cannot be used for this route',
    remedy: 'Send an API key of the application. An access token only works for the routes of its own grant.',
  },
  invalid_session: {
    status: 401,
    type: 'invalid_session',
    temporary: false,
    title: 'The scheduling session is unknown or has expired',
    remedy: 'Create a session with `POST /v3/scheduling/sessions`, and send its id as bearer token.',
  },
  invalid_client: {
    status: 401,
    type: 'invalid_client',
    temporary: false,
    title: 'Unknown client, or client authentication failed',
    remedy: 'Send `client_id`, and an API key of that application as `client_secret` or bearer token. For a code, PKCE is sufficient.',
  },
  invalid_grant: {
    status: 400,
    type: 'invalid_grant',
    temporary: false,
    title: 'The code or refresh token is unknown, used, expired, revoked, or belongs to another client',
    remedy: 'A code works once. Ask the end user to authenticate again.',
  },
  unsupported_grant_type: {
    status: 400,
    type: 'unsupported_grant_type',
    temporary: false,
    title: 'Unknown `grant_type`',
    remedy: 'Use `authorization_code`, `refresh_token` or `client_credentials`.',
  },
  invalid_token: {
    status: 400,
    type: 'invalid_token',
    temporary: false,
    title: 'Token expired or revoked',
    remedy: 'Get a new one from `POST /v3/connect/token`.',
  },
  callback_uri_not_allowed: {
    status: 400,
    type: 'grant.callback_uri_not_allowed',
    temporary: false,
    title: 'The redirect URI is not registered',
    remedy: 'Register it, exactly as sent, with `POST /v3/applications/redirect-uris`.',
  },
  login_id_invalid: {
    status: 400,
    type: 'grant.login_id_invalid',
    temporary: false,
    title: 'This sign-in is unknown, has ended, or was started in another browser',
    remedy: 'Start again in the application.',
  },
  reauth_email_invalid: {
    status: 400,
    type: 'grant.reauth_email_invalid',
    temporary: false,
    title: 'The chosen account is not the one to authenticate again',
    remedy: 'Sign in with the address in `login_hint`.',
  },
  scopes_conflict: {
    status: 400,
    type: 'grant.scopes_conflict',
    temporary: false,
    title: 'Some requested scopes were not approved',
    remedy: 'Ask the end user to authenticate again. The message names the missing scopes.',
  },
  invalid_scope: {
    status: 400,
    type: 'invalid_scope',
    temporary: false,
    title: 'A requested scope is not allowed',
    remedy: 'Omit the scopes named in the message. The sandbox application can only use the scopes of its connectors.',
  },
  authentication_failed: {
    status: 400,
    type: 'grant.invalid_authentication',
    temporary: false,
    title: 'The provider did not accept the credentials',
    remedy: 'Check the settings that were sent; `provider_error` contains the provider\'s message.',
  },
  refresh_token_invalid: {
    status: 401,
    type: 'grant.refresh_token_invalid',
    temporary: false,
    title: 'The provider did not accept the refresh token',
    remedy: 'Send a refresh token that the provider issued to the client of the connector or of `credential_id`.',
  },
  provider_required: {
    status: 400,
    type: 'grant.provider_required',
    temporary: false,
    title: '`provider` is missing',
    remedy: 'Set `provider`. `GET /v3/connect/custom` lists the providers with their requirements.',
  },
  connector_required: {
    status: 400,
    type: 'invalid_request_error',
    temporary: false,
    title: 'The application has no connector for this provider',
    remedy: 'Create the connector first with `POST /v3/connectors`.',
  },
  insufficient_scopes: {
    status: 403,
    type: 'insufficient_scopes',
    temporary: false,
    title: 'The grant lacks a scope that this call needs',
    remedy: 'Authenticate the grant again with the scopes named in the message. The scopes of the sandbox are fixed; for others, create your own application (`waypost apps create NAME`) with a connector that has them.',
  },
  missing_right: {
    status: 403,
    type: 'api.missing_right',
    temporary: false,
    title: 'The API key or agent lacks the right for this call',
    remedy: 'The message names the right. An administrator can add it to the `rights` of the key or agent.',
  },
  recipient_not_allowed: {
    status: 403,
    type: 'api.recipient_not_allowed',
    temporary: false,
    title: 'The API key or agent may not send to this address',
    remedy: 'Remove the addresses named in the message, or ask an administrator to add them to `rights.recipients`.',
  },
  network_not_allowed: {
    status: 403,
    type: 'api.network_not_allowed',
    temporary: false,
    title: 'The API key or agent may not be used from this address',
    remedy: 'Call from one of the networks in `rights.networks`, or ask an administrator to add yours.',
  },
  messages_per_hour_reached: {
    status: 429,
    type: 'rate_limit_error',
    temporary: true,
    title: 'The API key or agent has sent the messages that it may send per hour',
    remedy: 'Wait for the number of seconds in `Retry-After`, or ask an administrator to raise `rights.messages_per_hour`.',
  },
  grant_access_denied: {
    status: 403,
    type: 'grant.access_denied',
    temporary: false,
    title: 'No access to this grant',
    remedy: 'Use an API key of the application, or an access token of this grant.',
  },
  grant_limit_reached: {
    status: 403,
    type: 'grant.access_denied',
    temporary: false,
    title: 'The application has reached its maximum number of grants',
    remedy: 'Delete a grant, or create an application without a limit with `waypost apps create`.',
  },
  sandbox_restricted: {
    status: 403,
    type: 'forbidden',
    temporary: false,
    title: 'The sandbox application does not allow this',
    remedy: 'Create your own application with `waypost apps create`.',
  },
  not_allowed_by_application: {
    status: 403,
    type: 'forbidden',
    temporary: false,
    title: 'The settings of the application do not allow this',
    remedy: 'Change the setting named in the message with `PATCH /v3/applications`.',
  },
  belongs_to_another_grant: {
    status: 403,
    type: 'forbidden',
    temporary: false,
    title: 'This belongs to another grant',
    remedy: 'Use an object of the grant in the path.',
  },
  customer_data_off: {
    status: 403,
    type: 'forbidden',
    temporary: false,
    title: 'Administrator access to customer data is turned off',
    remedy: 'Use an API key of the application, or ask the operator to set `WAYPOST_CUSTOMER_DATA=on` (the default).',
  },
  administrator_required: {
    status: 401,
    type: 'api.authentication_error',
    temporary: false,
    title: 'This route is for administrators',
    remedy: 'Send HTTP Basic credentials: user `admin` with the installation\'s password, or a person\'s address and password; or the signature headers of a service account.',
  },
  second_factor_required: {
    status: 401,
    type: 'api.second_factor_required',
    temporary: false,
    title: 'A second-factor code is required, or the code is wrong',
    remedy: 'Send a `code` from the authenticator app, or a recovery code, when signing in to the dashboard. HTTP Basic credentials cannot contain a code.',
  },
  password_change_required: {
    status: 403,
    type: 'api.password_change_required',
    temporary: false,
    title: 'The initial password must be changed first',
    remedy: 'Choose your own password with `PUT /v3/admin/password`, or on the page after the sign-in.',
  },
  second_factor_setup_required: {
    status: 403,
    type: 'api.second_factor_setup_required',
    temporary: false,
    title: 'Your role requires a second factor. Set one up first',
    remedy: 'Set it up on the page after the sign-in, or with `POST /v3/admin/account/totp`. Owners choose the roles that require it.',
  },
  insufficient_rights: {
    status: 403,
    type: 'forbidden',
    temporary: false,
    title: 'Your role does not allow this',
    remedy: 'Ask an owner of this installation for another role, or for access to the application.',
  },
  cross_site_request: {
    status: 403,
    type: 'forbidden',
    temporary: false,
    title: 'A session is accepted only for requests of the dashboard',
    remedy: 'Call from a page of this service with JSON, or send HTTP Basic credentials: user `admin` and the installation\'s password.',
  },
  grant_not_found: {
    status: 404,
    type: 'grant.not_found',
    temporary: false,
    title: 'No Grant found for this Grant ID',
    remedy: 'Check the id, and that the key belongs to the application that owns the grant.',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    temporary: false,
    title: 'The requested object was not found',
    remedy: 'Check the id and the path.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    temporary: false,
    title: 'This path does not support this method',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  invalid_json: {
    status: 400,
    type: 'api.invalid_request_payload',
    temporary: false,
    title: 'The body is not valid JSON',
    remedy: 'Send one JSON object, encoded as UTF-8.',
  },
  invalid_request: {
    status: 400,
    type: 'invalid_request_error',
    temporary: false,
    title: 'The request does not match the schema',
    remedy: 'The message names the field; `validation_errors` lists all of them.',
  },
  timeslot_not_available: {
    status: 400,
    type: 'timeslot_not_available',
    temporary: false,
    title: 'The selected timeslot is unavailable',
    remedy: 'Choose another time from `GET /v3/scheduling/availability`.',
  },
  webhook_unanswered: {
    status: 400,
    type: '70005',
    temporary: false,
    title: 'The receiver did not respond as required',
    remedy: 'Respond to `GET <webhook_url>?challenge=<text>` within 10 seconds with status 200 and exactly that text, and to a test event with 2xx. The message says what was received.',
  },
  payload_too_large: {
    status: 413,
    type: 'invalid_request_error',
    temporary: false,
    title: 'The body is too large',
    remedy: 'Stay below the limit named in the message.',
  },
  upload_expired: {
    status: 410,
    type: 'api.upload_expired',
    temporary: false,
    title: 'The upload has expired',
    remedy: 'Begin another upload. An upload is valid for one hour.',
  },
  upload_incomplete: {
    status: 422,
    type: 'api.upload_incomplete',
    temporary: false,
    title: 'The file has not been uploaded completely',
    remedy: 'Send the whole file again to the URL of the upload, then complete it.',
  },
  upload_quota_reached: {
    status: 429,
    type: 'api.upload_quota_reached',
    temporary: true,
    title: 'The application has too many uploads, or too many bytes in them',
    remedy: 'Wait until some expire, one hour after their creation, or declare the `size` of files.',
  },
  range_not_satisfiable: {
    status: 416,
    type: 'invalid_request_error',
    temporary: false,
    title: 'The file has none of the requested bytes',
    remedy: '`Content-Range` contains the size of the file. A download with this many bytes is complete.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    temporary: false,
    title: 'The body must be JSON',
    remedy: 'Send `Content-Type: application/json`, or `multipart/form-data` if the route accepts files, without `Content-Encoding`.',
  },
  not_implemented: {
    status: 501,
    type: 'not_implemented',
    temporary: false,
    title: 'This service does not support this resource yet',
    remedy: 'The message names the resource and a partial alternative.',
  },
  not_supported_by_provider: {
    status: 422,
    type: 'not_supported_by_provider',
    temporary: false,
    title: 'The provider does not support this',
    remedy: 'See the provider table in the documentation.',
  },
  approvals_pending: {
    status: 429,
    type: 'api.approvals_pending',
    temporary: true,
    title: 'Too many actions wait for the approval of a person',
    remedy: 'Approve or reject the waiting actions (`GET /v3/approvals?status=pending`), then repeat the request.',
  },
  conflict: {
    status: 409,
    type: 'conflict',
    temporary: false,
    title: 'It already exists',
    remedy: 'Use or change the existing object named in the message.',
  },
  resource_blocked: {
    status: 423,
    type: 'api.resource_blocked',
    temporary: false,
    title: 'The application or grant is blocked',
    remedy: 'Ask the administrator of this service to unblock it.',
  },
  invalid_idempotency_key: {
    status: 400,
    type: 'api.invalid_idempotency_key',
    temporary: false,
    title: 'Idempotency-Key must be 256 characters or fewer.',
    remedy: 'Send a shorter key, for example a UUID.',
  },
  invalid_idempotent_request: {
    status: 409,
    type: 'api.invalid_idempotent_request',
    temporary: false,
    title: 'This Idempotency-Key was used with another payload',
    remedy: 'Use a new key for a new request.',
  },
  concurrent_idempotent_request: {
    status: 409,
    type: 'api.concurrent_idempotent_request',
    temporary: true,
    title: 'A request with this Idempotency-Key is still in flight',
    remedy: 'Wait, then repeat the same request. It returns the outcome of the first one.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    temporary: true,
    title: 'Too many requests',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  mail_quota_reached: {
    status: 429,
    type: 'rate_limit_error',
    temporary: true,
    title: 'The application has reached its daily limit of mail in the service\'s own name',
    remedy: 'Wait for the number of seconds in `Retry-After`, send `notify_participants=false` (for a response to an invitation `skip_email=true`), or ask the administrator to raise `mail_per_day` of the application.',
  },
  provider_rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    temporary: true,
    title: 'The provider limits the request rate',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  provider_refused: {
    status: 400,
    type: 'provider_error',
    temporary: false,
    title: 'The provider refused the request',
    remedy: '`provider_error` contains the provider\'s message.',
  },
  provider_unavailable: {
    status: 504,
    type: 'provider_error',
    temporary: true,
    title: 'Provider request timed out.',
    remedy: 'Try again later.',
  },
  send_refused: {
    status: 402,
    type: 'provider_error',
    temporary: false,
    title: 'The provider refused the message or a recipient',
    remedy: 'Correct the problem in `provider_error`. The same message would be refused again.',
  },
  send_failed: {
    status: 422,
    type: 'provider_error',
    temporary: false,
    title: 'The provider failed while the message was being sent',
    remedy: '`provider_error` contains the provider\'s message. The message was not sent.',
  },
  provider_unreachable: {
    status: 503,
    type: 'provider_error',
    temporary: true,
    title: 'The provider could not be reached or cannot accept the message now; the message was not sent',
    remedy: 'Try again later. If the provider refuses connections, wait 10 to 20 minutes.',
  },
  outcome_unknown: {
    status: 504,
    type: 'provider_error',
    temporary: true,
    title: 'The connection was lost before the provider confirmed the message: it may have been sent',
    remedy: 'Repeat the request with the same `Idempotency-Key`. It returns the outcome once it is known and does not send twice. Without a key, check the sent mail first.',
  },
  deadline_exceeded: {
    status: 504,
    type: 'provider_error',
    temporary: true,
    title: 'The request took longer than 90 seconds',
    remedy: 'Request less data at once (`limit`, `select`, filters), or try again later.',
  },
  internal_error: {
    status: 500,
    type: 'api.internal_error',
    temporary: true,
    title: 'internal error',
    remedy: 'Report the `request_id` to the administrator of this service, who can find the cause in the log.',
  },
  service_unavailable: {
    status: 503,
    type: 'api.service_unavailable',
    temporary: true,
    title: 'The service is temporarily unavailable',
    remedy: 'Try again after the number of seconds in `Retry-After`.',
  },
} as const

/** The kinds of providers, and the settings that a connector of each takes. */
export const providerKinds = {
  google: {
    title: 'Google',
    takesScope: true,
    connectorSettings: [{
      name: 'client_id',
      required: true,
      secret: false,
    }, {
      name: 'client_secret',
      required: true,
      secret: true,
    }, {
      name: 'topic_name',
      required: false,
      secret: false,
    }, {
      name: 'project_id',
      required: false,
      secret: false,
    }],
  },
  microsoft: {
    title: 'Microsoft',
    takesScope: true,
    connectorSettings: [{
      name: 'client_id',
      required: true,
      secret: false,
    }, {
      name: 'client_secret',
      required: true,
      secret: true,
    }, {
      name: 'tenant',
      required: false,
      secret: false,
    }],
  },
  imap: {
    title: 'IMAP and SMTP',
    takesScope: false,
    connectorSettings: [],
  },
  icloud: {
    title: 'iCloud',
    takesScope: false,
    connectorSettings: [],
  },
  yahoo: {
    title: 'Yahoo',
    takesScope: true,
    connectorSettings: [{
      name: 'client_id',
      required: false,
      secret: false,
    }, {
      name: 'client_secret',
      required: false,
      secret: true,
    }],
  },
  ews: {
    title: 'Exchange (EWS)',
    takesScope: true,
    connectorSettings: [],
  },
  'virtual-calendar': {
    title: 'Virtual calendars stored by the service',
    takesScope: false,
    connectorSettings: [],
  },
  zoom: {
    title: 'Zoom',
    takesScope: false,
    connectorSettings: [{
      name: 'client_id',
      required: true,
      secret: false,
    }, {
      name: 'client_secret',
      required: true,
      secret: true,
    }],
  },
} as const

/** Every trigger that can be subscribed to, and when it fires. */
export const triggers = {
  'grant.created': {
    summary: 'A new grant',
  },
  'grant.updated': {
    summary: 'A grant was changed or authenticated again',
  },
  'grant.expired': {
    summary: 'A grant became invalid: its end user must authenticate again',
  },
  'grant.deleted': {
    summary: 'A grant was deleted',
  },
  'grant.imap_sync_completed': {
    summary: 'The mail of a new IMAP account was read for the first time',
  },
  'message.created': {
    summary: 'A message arrived or was sent',
  },
  'message.updated': {
    summary: 'A message was changed',
  },
  'message.created.cleaned': {
    summary: 'A message arrived or was sent; its `body` is the cleaned text as Markdown',
  },
  'message.deleted': {
    summary: 'A message was removed from the mailbox for good',
  },
  'message.send_success': {
    summary: 'A scheduled message was sent',
  },
  'message.send_failed': {
    summary: 'A scheduled message could not be sent',
  },
  'message.bounce_detected': {
    summary: 'A sent message bounced',
  },
  'message.opened': {
    summary: 'A tracked message was opened',
  },
  'message.link_clicked': {
    summary: 'A link in a tracked message was clicked',
  },
  'thread.replied': {
    summary: 'A tracked message received a reply',
  },
  'booking.created': {
    summary: 'A slot was booked, or a pending booking was confirmed',
  },
  'booking.pending': {
    summary: 'A slot was booked and waits for the confirmation of the organizer',
  },
  'booking.rescheduled': {
    summary: 'A booking was moved to another time',
  },
  'booking.cancelled': {
    summary: 'A booking was cancelled or declined',
  },
  'booking.reminder': {
    summary: 'A booked event begins soon, as the reminders of the configuration say',
  },
  'approval.requested': {
    summary: 'An action of a restricted API key or an agent waits for the approval of a person',
  },
  'approval.approved': {
    summary: 'A person approved an action, and it was carried out',
  },
  'approval.rejected': {
    summary: 'A person rejected an action, or turned the message into a draft',
  },
  'approval.expired': {
    summary: 'Nobody decided about an action in time',
  },
  'approval.failed': {
    summary: 'A person approved an action, but it was refused or could not be carried out',
  },
  'calendar.created': {
    summary: 'A calendar was created',
  },
  'calendar.updated': {
    summary: 'A calendar was changed',
  },
  'calendar.deleted': {
    summary: 'A calendar was deleted',
  },
  'event.created': {
    summary: 'An event or a series was created',
  },
  'event.updated': {
    summary: 'An event, a series or some of its instances were changed',
  },
  'event.deleted': {
    summary: 'An event or a series was deleted',
  },
  'contact.updated': {
    summary: 'A contact was created or changed',
  },
  'contact.deleted': {
    summary: 'A contact was deleted',
  },
  'folder.created': {
    summary: 'A folder was created',
  },
  'folder.updated': {
    summary: 'A folder was changed',
  },
  'folder.deleted': {
    summary: 'A folder was deleted',
  },
} as const
