/** WebSocket close codes of this protocol and what they mean; 4000-4999 are private (RFC 6455, 7.4.2). */
export const CLOSE = {
  /** The host half is being unloaded: try again later. */
  goingAway: 1001,
  /** Too many invalid frames, or no hello in time. */
  policy: 1008,
  /** Protocol versions differ: refresh the page or restart the host. */
  protocolMismatch: 4001,
  /** The same client said hello on a newer socket. */
  superseded: 4002,
  /** Nothing was heard for too long. */
  deadPeer: 4003,
  /** The socket could not carry what the client asked for. */
  backlog: 4004,
} as const
