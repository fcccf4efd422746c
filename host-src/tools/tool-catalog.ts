/** The only list of tools. */
import { observeSessions } from './observe-sessions.ts'
import type { AnyTool } from './tool.ts'
import { waitAndRun } from './wait-and-run.ts'

export const TOOL_CATALOG: readonly AnyTool[] = [...observeSessions, ...waitAndRun]
