/** Options that decide what bytes mean. Host and browser must give their emulators the same ones. */

/** Fewest lines above the screen: with none, xterm.js 6.0 writes to a line that does not exist after some resizes. */
export const MIN_SCROLLBACK_LINES = 1

/**
 * Constructor options for every emulator. What only concerns the eye (fonts, colours, the user's cursor) is not here.
 * @param scrollbackLines lines kept above the screen; raised to MIN_SCROLLBACK_LINES
 */
export const emulatorOptions = (
  scrollbackLines: number,
): {
  allowProposedApi: true
  logLevel: 'off'
  scrollback: number
  convertEol: false
  tabStopWidth: 8
  scrollOnEraseInDisplay: false
  reflowCursorLine: false
  windowOptions: { pushTitle: true; popTitle: true; getWinSizeChars: true }
} => ({
  allowProposedApi: true,
  // What it logs about a sequence it cannot parse holds the program's bytes.
  logLevel: 'off',
  scrollback: Math.max(MIN_SCROLLBACK_LINES, scrollbackLines),
  convertEol: false,
  tabStopWidth: 8,
  scrollOnEraseInDisplay: false,
  reflowCursorLine: false,
  windowOptions: { pushTitle: true, popTitle: true, getWinSizeChars: true },
})
