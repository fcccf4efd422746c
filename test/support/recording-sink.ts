/** A viewer that writes down what it was told, and may acknowledge by itself. */
import type { Attachment, AttachmentSink } from '../../host-src/sessions/attachment.ts'
import type { Session } from '../../host-src/sessions/session.ts'
import type { CloseReason, ExitStatus, TerminalSize } from '../../protocol-src/session.ts'

export class RecordingSink implements AttachmentSink {
  readonly events: string[] = []
  readonly resyncs: { from: number; liveFrom: number }[] = []
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

  resync(from: number, liveFrom: number): void {
    this.resyncs.push({ from, liveFrom })
    this.next = from
    this.#parts = []
    this.events.push('resync')
  }

  size({ cols, rows }: TerminalSize, isDriver: boolean): void {
    this.events.push(`size ${cols}x${rows}${isDriver ? ' driver' : ''}`)
  }

  exited(exit: ExitStatus, offset: number): void {
    this.events.push(`exited ${exit.signal ?? exit.exitCode} at ${offset}`)
  }

  closed(reason: CloseReason): void {
    this.events.push(`closed ${reason}`)
  }
}

/** Attach as the gateway does: the start is known before anything is sent. */
export const view = (
  session: Session,
  options: { cols?: number; rows?: number; resumeFrom?: number | null } = {},
): { sink: RecordingSink; attachment: Attachment } => {
  const sink = new RecordingSink()
  const attachment = session.attach(sink, {
    size: { cols: options.cols ?? 80, rows: options.rows ?? 24 },
    resumeFrom: options.resumeFrom ?? null,
  })
  sink.next = attachment.start.from
  attachment.begin()
  return { sink, attachment }
}
