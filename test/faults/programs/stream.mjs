// Prints numbered lines, each with the CRC of those before it, until something is typed; then writes down what it printed.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const [, , report, linesPerTurn] = process.argv
const hash = createHash('sha256')
let isDone = false
let bytes = 0
let crc = 0
process.stdin.once('data', () => {
  isDone = true
})
for (let line = 1; !isDone;) {
  let text = ''
  for (let count = 0; count < Number(linesPerTurn); count += 1, line += 1) {
    const part = `\u001b[3${line % 8}m${line} ${crc.toString(16)}\r\n`
    crc = crc32(part, crc)
    text += part
  }
  hash.update(text)
  bytes += text.length
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  await new Promise((resolve) => setTimeout(resolve, 2))
}
writeFileSync(report, JSON.stringify({ bytes, sha256: hash.digest('hex') }))
process.stdout.write('', () => process.exit(0))
