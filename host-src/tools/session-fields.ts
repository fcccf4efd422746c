/** Parts of schemas that several tools share. */
import * as z from 'zod'

export const sidField = z.string().min(1).max(64).describe('Session id, as tty_list or tty_open gave it.')
