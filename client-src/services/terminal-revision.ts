/** Which content of the emulator's script this page wants. The build puts the real one here (scripts/terminal-script.ts). */
export const TERMINAL_REVISION: string = 'unbuilt'
