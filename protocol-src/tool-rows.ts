/** What a tool's row in the conversation needs to know of tools: which of them work with one terminal. */

/** Tools whose calls belong to one terminal, which the row can open. */
export const TERMINAL_TOOLS = [
  'tty_ask_user',
  'tty_capture',
  'tty_close',
  'tty_expect',
  'tty_open',
  'tty_run',
  'tty_screen',
  'tty_send',
] as const
