/** One end of a WebSocket without a network: records what the host sends, and says what a client would. */
import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'
import { decodeBinaryFrame, encodeBinaryFrame, type BinaryFrame } from '../../protocol-src/binary-frame.ts'
import { hostFrameSchema, type HostFrame } from '../../protocol-src/host-frames.ts'
import type { AttachmentHandle } from '../../protocol-src/ids.ts'

export class FakeSocket extends EventEmitter {
  readonly OPEN = 1
  readonly CLOSED = 3
  readyState = 1
  bufferedAmount = 0
  binaryType = ''
  pings = 0
  isTerminated = false
  closedWith: number | null = null
  /** Everything the host sent, in order. */
  readonly sent: (HostFrame | BinaryFrame)[] = []

  get asWebSocket(): WebSocket {
    return this as unknown as WebSocket
  }

  send(data: string | Uint8Array): void {
    if (typeof data === 'string') this.sent.push(hostFrameSchema.parse(JSON.parse(data)))
    else {
      const frame = decodeBinaryFrame(Uint8Array.from(data))
      if (frame.kind === 'invalid') throw new Error(frame.reason)
      this.sent.push(frame)
    }
  }

  ping(): void {
    this.pings += 1
  }

  close(code: number): void {
    this.closedWith ??= code
    this.readyState = 2
  }

  terminate(): void {
    this.isTerminated = true
    this.readyState = 3
  }

  /** The client says something. */
  says(frame: unknown): void {
    this.emit('message', Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)), false)
  }

  /** The client types. */
  types(handle: number, seq: number, text: string): void {
    const bytes = Buffer.from(text)
    const frame = encodeBinaryFrame({ kind: 'input', handle: handle as AttachmentHandle, seq, bytes })
    this.emit('message', Buffer.from(frame), true)
  }

  /** The connection is gone. */
  breaks(): void {
    this.readyState = 3
    this.emit('close', 1006)
  }

  /** Frames of one type. */
  of<T extends HostFrame['type']>(type: T): Extract<HostFrame, { type: T }>[] {
    return this.sent.filter((frame) => 'type' in frame && frame.type === type) as Extract<HostFrame, { type: T }>[]
  }

  get errors(): string[] {
    return this.of('error').map(({ error }) => error.code)
  }
}
