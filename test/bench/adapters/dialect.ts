/** How one server speaks over its WebSocket. A dialect keeps the state of one connection and touches no socket itself. */

export type WireData = string | Uint8Array

export interface Dialect {
  readonly path: string
  readonly subprotocols: readonly string[]
  /** The socket is open: say what the server waits for. */
  opened(send: (data: WireData) => void): void
  /** @returns bytes for the terminal, or null for a frame that carries none */
  received(frame: Buffer, isBinary: boolean): Uint8Array | null
  /** @returns the frame that types `bytes` */
  typed(bytes: Uint8Array): WireData
  /** The terminal has taken `bytes` more bytes; the servers that want to know are told. */
  parsed(bytes: number): void
  /** @returns the frame that ends the session, where leaving does not */
  ended(): WireData | null
}

/** What the terminal of every measurement looks like. */
export const SIZE = { cols: 120, rows: 40 } as const
