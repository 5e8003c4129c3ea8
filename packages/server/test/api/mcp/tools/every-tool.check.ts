import { describeEveryTool } from './every-tool.ts'
import { imapTools } from './imap-tool-accounts.ts'
import { exchangeTools, microsoftTools } from './tool-accounts.ts'

describeEveryTool({ imap: imapTools, microsoft: microsoftTools, exchange: exchangeTools })
