/** Our own protocol, as a viewer speaks it: hello, open or attach, binary frames by offset, acknowledgements. */
import { randomBytes } from 'node:crypto'
import { decodeBinaryFrame, encodeBinaryFrame } from '../../../protocol-src/binary-frame.ts'
import type { ClientFrameInput } from '../../../protocol-src/client-frames.ts'
import { hostFrameSchema, replySchemas, type HostFrame, type ReplyOf } from '../../../protocol-src/host-frames.ts'
import { WS_PATH } from '../../../protocol-src/http-routes.ts'
import {
  encodeRandomId,
  type ClientId,
  type SessionId,
  type StreamOffset,
  type StreamPosition,
} from '../../../protocol-src/ids.ts'
import { ACK_EVERY_BYTES, PROTOCOL_VERSION, WS_SUBPROTOCOL, WS_TICKET_PREFIX } from '../../../protocol-src/limits.ts'
import { SIZE, type Dialect, type WireData } from './dialect.ts'

/** A session to come back to, and where the terminal that comes back is. */
export interface Rejoin {
  readonly sid: SessionId
  readonly resumeFrom: StreamPosition | null
}

const OPEN_ID = 1
const ATTACH_ID = 2
const CLOSE_ID = 3

export class OurDialect implements Dialect {
  readonly path = WS_PATH
  readonly subprotocols: readonly string[]
  /** Part of a state comes, the screen first. */
  onSnapshotPart: (part: number, bytes: Uint8Array) => void = () => undefined
  /** All parts came. */
  onSnapshotEnd: () => void = () => undefined
  /** What the host said to the attach; null until then. */
  attached: ReplyOf<'attach'> | null = null
  readonly whenAttached: Promise<ReplyOf<'attach'>>
  readonly #command: string
  readonly #rejoin: Rejoin | null
  #settleAttached!: (reply: ReplyOf<'attach'>) => void
  #send: (data: WireData) => void = () => undefined
  #typedFrames = 0
  /** Offset after the last byte received, and changes of size or driver so far. */
  #received: StreamOffset = 0
  #change = 0
  #parsed: StreamOffset = 0
  #acknowledged: StreamOffset = 0

  constructor({ ticket, command, rejoin }: { ticket: string; command: string; rejoin: Rejoin | null }) {
    this.subprotocols = [WS_SUBPROTOCOL, WS_TICKET_PREFIX + ticket]
    this.#command = command
    this.#rejoin = rejoin
    this.whenAttached = new Promise((resolve) => {
      this.#settleAttached = resolve
    })
  }

  get position(): StreamPosition {
    return { offset: this.#received, change: this.#change }
  }

  opened(send: (data: WireData) => void): void {
    this.#send = send
    const client = { kind: 'cli' as const, id: encodeRandomId(randomBytes(16)) as ClientId }
    this.#say({ type: 'hello', protocol: PROTOCOL_VERSION, client })
    if (this.#rejoin === null)
      this.#say({ type: 'open', id: OPEN_ID, spec: { kind: 'local', command: this.#command }, size: SIZE })
    else this.#attach(this.#rejoin)
  }

  received(frame: Buffer, isBinary: boolean): Uint8Array | null {
    if (!isBinary) {
      this.#heard(hostFrameSchema.parse(JSON.parse(frame.toString('utf8'))))
      return null
    }
    const output = decodeBinaryFrame(frame)
    if (output.kind === 'snapshot') {
      this.onSnapshotPart(output.part, output.bytes)
      return null
    }
    if (output.kind !== 'output') throw new Error(`the host sent a binary frame of kind ${output.kind}`)
    if (output.offset !== this.#received)
      throw new Error(`output at offset ${String(output.offset)} does not follow ${String(this.#received)}`)
    this.#received += output.bytes.length
    return output.bytes
  }

  typed(bytes: Uint8Array): WireData {
    if (this.attached === null) throw new Error('typed before the attach was answered')
    this.#typedFrames += 1
    return encodeBinaryFrame({ kind: 'input', handle: this.attached.handle, seq: this.#typedFrames, bytes })
  }

  parsed(bytes: number): void {
    this.#parsed += bytes
    if (this.attached === null || this.#parsed - this.#acknowledged < ACK_EVERY_BYTES) return
    this.#acknowledged = this.#parsed
    this.#say({ type: 'ack', handle: this.attached.handle, offset: this.#parsed })
  }

  ended(): WireData | null {
    const frame: ClientFrameInput | null =
      this.attached === null ? null : { type: 'close', id: CLOSE_ID, sid: this.attached.session.id }
    return frame === null ? null : JSON.stringify(frame)
  }

  #heard(frame: HostFrame): void {
    if (frame.type === 'error') throw new Error(`the host refused: ${frame.error.message}`)
    if (frame.type === 'resync') this.#startAt(frame.start.from)
    if (frame.type === 'snapshotEnd') this.onSnapshotEnd()
    if (frame.type === 'size') this.#change = frame.at.change
    if (frame.type !== 'ok') return
    if (frame.re === OPEN_ID) {
      const { session } = replySchemas.open.parse(frame.result)
      this.#attach({ sid: session.id, resumeFrom: null })
    } else if (frame.re === ATTACH_ID) {
      this.attached = replySchemas.attach.parse(frame.result)
      this.#startAt(this.attached.start.from)
      this.#settleAttached(this.attached)
    }
  }

  #attach({ sid, resumeFrom }: Rejoin): void {
    this.#say({ type: 'attach', id: ATTACH_ID, sid, size: SIZE, resumeFrom })
  }

  #startAt({ offset, change }: StreamPosition): void {
    this.#received = offset
    this.#change = change
    this.#parsed = offset
    this.#acknowledged = offset
  }

  #say(frame: ClientFrameInput): void {
    this.#send(JSON.stringify(frame))
  }
}
