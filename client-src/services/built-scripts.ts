/** What scripts/page-scripts.ts knows only when it builds: it puts the real ones here. */
import type { PageScriptName } from '../../protocol-src/http-routes.ts'

/** Which content of each script this page wants. */
export const SCRIPT_REVISIONS = {} as Readonly<Record<PageScriptName, string>>

/** The modules that the scripts take from this page, and so have but once. */
export const SHARED_MODULES: Readonly<Record<string, unknown>> = {}
