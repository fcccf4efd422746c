// Writes down every line that is typed, when it is executed, and says so; "end" ends it.
import { appendFileSync } from 'node:fs'

const [, , log] = process.argv
let rest = ''
appendFileSync(log, '')
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    if (line === 'end') process.exit(0)
    appendFileSync(log, `${line}\n`)
    process.stdout.write(`done ${line.split(' ', 1)[0]}\r\n`)
  }
})
process.stdout.write('ready\r\n')
