/** The only list of tools. */
import { askUser } from './ask-user.ts'
import { driveSessions } from './drive-sessions.ts'
import { observeSessions } from './observe-sessions.ts'
import type { AnyTool } from './tool.ts'
import { waitAndRun } from './wait-and-run.ts'

export const TOOL_CATALOG: readonly AnyTool[] = [...observeSessions, ...driveSessions, ...waitAndRun, ...askUser]
