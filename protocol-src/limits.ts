/** The numbers both ends must agree on. Sizes are bytes and times are milliseconds unless the name says otherwise. */

/** Raised by every incompatible change of a frame or route. */
export const PROTOCOL_VERSION = 5

/** Sub-protocol that both ends name in the upgrade; the ticket travels as a second one, so it is in no URL. */
export const WS_SUBPROTOCOL = 'dsh-tty'
export const WS_TICKET_PREFIX = 'ticket.'

/** Largest frame a client may send. A larger one closes the socket with 1009. */
export const MAX_CLIENT_FRAME_BYTES = 1024 * 1024
/** Largest slice of input in one frame; a longer paste is cut into several. */
export const MAX_INPUT_FRAME_BYTES = 64 * 1024
/** Invalid frames in a row after which the socket is closed with 1008. */
export const MAX_BAD_FRAMES = 3

export const MIN_COLS = 2
export const MAX_COLS = 1000
export const MIN_ROWS = 1
export const MAX_ROWS = 500

/**
 * Flow control, counted in bytes that the viewer's terminal has not parsed yet.
 * ACK_EVERY_BYTES <= LOW_WATER_BYTES < HIGH_WATER_BYTES must hold, or a viewer could wait for an ack that never comes.
 */
export const ACK_EVERY_BYTES = 64 * 1024
export const LOW_WATER_BYTES = 64 * 1024
export const HIGH_WATER_BYTES = 256 * 1024

/** Output is sent at once after this silence, else gathered for as long or up to OUTPUT_FRAME_BYTES. */
export const COALESCE_MS = 2
export const OUTPUT_FRAME_BYTES = 64 * 1024

/** Unsent bytes on one socket beyond which its client is disconnected; the sessions live on. */
export const MAX_SOCKET_BACKLOG_BYTES = 8 * 1024 * 1024

/** Held output up to which a viewer that starts empty is sent all of it instead of a snapshot. */
export const REPLAY_MAX_BYTES = 256 * 1024
/** A viewer this far behind when it may go on is sent a snapshot instead of what it missed. */
export const RESYNC_BEHIND_BYTES = 2 * 1024 * 1024
/** Input waiting for a program that does not read, per session; more is refused. */
export const MAX_PENDING_INPUT_BYTES = 1024 * 1024

export const HEARTBEAT_MS = 15_000
/** Silence after which the other end counts as dead. */
export const DEAD_PEER_MS = 30_000
/** Time in which a client must say hello after the upgrade. */
export const HELLO_TIMEOUT_MS = 10_000
export const TICKET_LIFETIME_MS = 30_000

/** Requests of one connection that may wait for their answer at once; further ones are refused. */
export const MAX_PENDING_REQUESTS = 64

/** Records in one answer to `history`. */
export const MAX_HISTORY_RECORDS = 1000
/** Longest wait that one request may ask for. */
export const MAX_WAIT_MS = 600_000

export const MAX_TITLE_CHARS = 120
export const MAX_PATH_CHARS = 4096
export const MAX_COMMAND_CHARS = 128 * 1024
/** Longest text of a command that a shell's mark carries. */
export const MAX_COMMAND_TEXT_CHARS = 8192
/** Longest text of a command in a list of sessions, which is sent often. */
export const MAX_LISTED_COMMAND_CHARS = 256
/** Commands of a session that are kept to be asked for, and records in one answer to `commands`. */
export const MAX_COMMANDS = 200
/** Longest text with which an agent asks the person for something. */
export const MAX_REQUEST_CHARS = 500
/** Ended sessions that stay readable; beyond it the oldest goes. */
export const MAX_RETAINED_SESSIONS = 16
