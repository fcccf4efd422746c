/**
 * Binary frames: terminal bytes both ways, never decoded on the way. Header of 16 bytes, big-endian:
 *
 *   0      kind       1 = output (host to client), 2 = input (client to host), 3 = snapshot part (host to client)
 *   1-3    zero
 *   4-7    attachment handle
 *   8-15   output: stream offset of the first byte; input: the client's number of this frame, from 1, per session;
 *          snapshot: number of the part, from 0, which is the screen
 *   16-    bytes
 */
import type { AttachmentHandle, StreamOffset } from './ids.ts'

export const BINARY_HEADER_BYTES = 16
const OUTPUT = 1
const INPUT = 2
const SNAPSHOT = 3

export type BinaryHeader =
  | { kind: 'output'; handle: AttachmentHandle; offset: StreamOffset }
  | { kind: 'input'; handle: AttachmentHandle; seq: number }
  | { kind: 'snapshot'; handle: AttachmentHandle; part: number }

export type BinaryFrame = BinaryHeader & { bytes: Uint8Array }

/** Write a header into the first 16 bytes of `target`. */
export function writeBinaryHeader(target: Uint8Array, header: BinaryHeader): void {
  const { number, position } = fieldsOf(header)
  const view = new DataView(target.buffer, target.byteOffset, BINARY_HEADER_BYTES)
  view.setUint32(0, number << 24)
  view.setUint32(4, header.handle)
  view.setUint32(8, Math.floor(position / 0x1_0000_0000))
  view.setUint32(12, position >>> 0)
}

function fieldsOf(header: BinaryHeader): { number: number; position: number } {
  switch (header.kind) {
    case 'output':
      return { number: OUTPUT, position: header.offset }
    case 'input':
      return { number: INPUT, position: header.seq }
    case 'snapshot':
      return { number: SNAPSHOT, position: header.part }
  }
}

/** Encode one frame into a buffer of its own. */
export function encodeBinaryFrame(frame: BinaryFrame): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(BINARY_HEADER_BYTES + frame.bytes.length)
  writeBinaryHeader(out, frame)
  out.set(frame.bytes, BINARY_HEADER_BYTES)
  return out
}

/**
 * Decode one frame; `bytes` is a view of `data`, not a copy.
 * @returns the frame, or the reason why `data` is none
 */
export function decodeBinaryFrame(data: Uint8Array): BinaryFrame | { kind: 'invalid'; reason: string } {
  if (data.length < BINARY_HEADER_BYTES)
    return { kind: 'invalid', reason: `a binary frame has a header of ${String(BINARY_HEADER_BYTES)} bytes` }
  const view = new DataView(data.buffer, data.byteOffset, BINARY_HEADER_BYTES)
  const word = view.getUint32(0)
  const kind = word >>> 24
  const handle = view.getUint32(4) as AttachmentHandle
  const position = view.getUint32(8) * 0x1_0000_0000 + view.getUint32(12)
  if ((word & 0xff_ffff) !== 0 || handle === 0)
    return { kind: 'invalid', reason: 'bytes 1 to 3 are zero and the handle is not' }
  if (!Number.isSafeInteger(position)) return { kind: 'invalid', reason: 'the position is beyond 2^53' }
  const bytes = data.subarray(BINARY_HEADER_BYTES)
  if (kind === OUTPUT) return { kind: 'output', handle, offset: position, bytes }
  if (kind === INPUT && position === 0) return { kind: 'invalid', reason: 'input is numbered from 1' }
  if (kind === INPUT) return { kind: 'input', handle, seq: position, bytes }
  if (kind === SNAPSHOT) return { kind: 'snapshot', handle, part: position, bytes }
  return { kind: 'invalid', reason: `unknown binary frame kind ${String(kind)}` }
}
