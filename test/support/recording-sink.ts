/** A viewer that writes down what it was told, and may acknowledge by itself. */
import type { Attachment, AttachmentSink } from '../../host-src/sessions/attachment.ts'
import type { Session } from '../../host-src/sessions/session.ts'
import type { CommandRecord } from '../../protocol-src/command.ts'
import type { StreamStart } from '../../protocol-src/host-frames.ts'
import type { StreamPosition } from '../../protocol-src/ids.ts'
import type { CloseReason, ExitStatus, TerminalSize } from '../../protocol-src/session.ts'

export class RecordingSink implements AttachmentSink {
  readonly events: string[] = []
  readonly resyncs: StreamStart[] = []
  /** Offset of the next byte that would continue what came so far; null before the first. */
  next: number | null = null
  #parts: Buffer[] = []

  /** All bytes since the last resync. */
  get bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }

  get text(): string {
    return this.bytes.toString()
  }

  data(bytes: Uint8Array, offset: number): void {
    if (this.next !== null && offset !== this.next) throw new Error(`a gap: ${this.next} was expected, got ${offset}`)
    this.next = offset + bytes.length
    this.#parts.push(Buffer.from(bytes))
    if (this.events.at(-1) !== 'data') this.events.push('data')
  }

  resync(start: StreamStart): void {
    this.resyncs.push(start)
    this.next = start.from.offset
    this.#parts = []
    this.events.push('resync')
  }

  snapshotPart(part: number, bytes: Uint8Array): void {
    this.events.push(`part ${part} ${Buffer.from(bytes).toString()}`)
  }

  snapshotEnd(parts: number, hash: string): void {
    this.events.push(`${parts} parts ${hash}`)
  }

  size({ cols, rows }: TerminalSize, _at: StreamPosition, isDriver: boolean): void {
    this.events.push(`size ${cols}x${rows}${isDriver ? ' driver' : ''}`)
  }

  command({ id, text, endedAt, exitCode }: CommandRecord): void {
    this.events.push(`command ${id} ${String(text)} ${endedAt === null ? 'started' : `ended ${String(exitCode)}`}`)
  }

  exited(exit: ExitStatus, offset: number): void {
    this.events.push(`exited ${exit.signal ?? exit.exitCode} at ${offset}`)
  }

  closed(reason: CloseReason): void {
    this.events.push(`closed ${reason}`)
  }
}

/** Attach as the gateway does, from the beginning unless told otherwise: the start is known before anything is sent. */
export const view = (
  session: Session,
  options: { cols?: number; rows?: number; from?: StreamPosition } = {},
): { sink: RecordingSink; attachment: Attachment } => {
  const sink = new RecordingSink()
  const { from = { offset: 0, change: 0 } } = options
  const attachment = session.attach(sink, {
    size: { cols: options.cols ?? 80, rows: options.rows ?? 24 },
    from,
  })
  sink.next = from.offset
  attachment.begin()
  return { sink, attachment }
}
