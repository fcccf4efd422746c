/** The only list of tools. */
import { askUser } from './ask-user.ts'
import { commandHistory } from './command-history.ts'
import { driveSessions } from './drive-sessions.ts'
import { expectText } from './expect-text.ts'
import { observeSessions } from './observe-sessions.ts'
import type { AnyTool } from './tool.ts'
import { runCommand } from './run-command.ts'

export const TOOL_CATALOG: readonly AnyTool[] = [
  ...observeSessions,
  ...commandHistory,
  ...driveSessions,
  ...runCommand,
  ...expectText,
  ...askUser,
]
