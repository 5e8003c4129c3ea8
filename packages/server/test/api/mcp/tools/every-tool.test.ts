import { describeEveryTool } from './every-tool.ts'
import { googleTools, virtualTools } from './tool-accounts.ts'

// `every-tool.check.ts` has the other kinds.
describeEveryTool({ virtual: virtualTools, google: googleTools })
