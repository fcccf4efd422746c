/*
 * The child of every measurement: a terminal in cooked output mode without echo, driven by lines on its input.
 *
 *   blast FILE BYTES   write BYTES of FILE, over and over, then "~~END~~"
 *   echo               raw mode: every byte comes back as it is, until ^D
 *   flood FILE SECS    write FILE until SIGINT or for SECS, then "INT~<ns>~TNI" with the CLOCK_MONOTONIC time of the
 *                      signal (0 when there was none)
 *   pid                "~~PID <pid>~~"
 *
 * Started as `kid limit-pty FILE BYTES` it is the limit instead: it forks itself on a new terminal, lets it blast and reads
 * with nothing else to do. One line of JSON says how long that took and what it cost.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PIECE (64 * 1024)
#define END "~~END~~"
#define READY "~~READY~~"

static volatile sig_atomic_t interrupted;
static volatile int64_t interrupted_ns;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted_ns = now_ns();
  interrupted = 1;
}

static void die(const char *what) {
  fprintf(stderr, "kid: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* Returns early only when a signal came. */
static void put(const char *bytes, size_t length) {
  while (length > 0 && !interrupted) {
    ssize_t written = write(1, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) exit(1);
    bytes += written;
    length -= (size_t)written;
  }
}

static const char *map_file(const char *path, size_t *length) {
  int fd = open(path, O_RDONLY);
  struct stat facts;
  if (fd < 0 || fstat(fd, &facts) != 0 || facts.st_size == 0) die(path);
  *length = (size_t)facts.st_size;
  const char *bytes = mmap(NULL, *length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  if (bytes == MAP_FAILED) die(path);
  close(fd);
  return bytes;
}

static void blast(const char *path, int64_t left) {
  size_t length;
  const char *bytes = map_file(path, &length);
  for (size_t at = 0; left > 0;) {
    size_t piece = length - at < PIECE ? length - at : PIECE;
    if ((int64_t)piece > left) piece = (size_t)left;
    put(bytes + at, piece);
    left -= (int64_t)piece;
    at = at + piece == length ? 0 : at + piece;
  }
  munmap((void *)bytes, length);
  put(END "\n", sizeof(END));
}

static void flood(const char *path, double seconds) {
  size_t length;
  const char *bytes = map_file(path, &length);
  int64_t until = now_ns() + (int64_t)(seconds * 1e9);
  char line[64];
  interrupted = 0;
  interrupted_ns = 0;
  for (size_t at = 0; !interrupted && now_ns() < until;) {
    size_t piece = length - at < PIECE ? length - at : PIECE;
    put(bytes + at, piece);
    at = at + piece == length ? 0 : at + piece;
  }
  interrupted = 0;
  int said = snprintf(line, sizeof line, "\nINT~%lld~TNI\n", (long long)interrupted_ns);
  put(line, (size_t)said);
  munmap((void *)bytes, length);
}

static void echo_raw(void) {
  struct termios before, raw;
  unsigned char byte;
  tcgetattr(0, &before);
  raw = before;
  cfmakeraw(&raw);
  tcsetattr(0, TCSANOW, &raw);
  put("~~ECHO~~", 8);
  while (read(0, &byte, 1) == 1 && byte != 4) put((const char *)&byte, 1);
  tcsetattr(0, TCSANOW, &before);
}

/* One line of input, without its end. Returns 0 at the end of input. */
static int get_line(char *line, size_t size) {
  for (size_t at = 0; at + 1 < size;) {
    ssize_t got = read(0, line + at, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    if (line[at] == '\n') {
      line[at] = 0;
      return 1;
    }
    at += 1;
  }
  return 0;
}

static int serve(void) {
  struct sigaction action = {.sa_handler = on_interrupt};
  struct termios settings;
  char line[8192], path[4096], word[32];
  double number;
  sigaction(SIGINT, &action, NULL);
  tcgetattr(0, &settings);
  settings.c_lflag = (settings.c_lflag & ~(tcflag_t)ECHO) | ICANON | ISIG;
  settings.c_oflag |= OPOST | ONLCR;
  tcsetattr(0, TCSANOW, &settings);
  put(READY "\n", sizeof(READY));
  while (get_line(line, sizeof line)) {
    interrupted = 0;
    if (sscanf(line, "blast %4095s %lf", path, &number) == 2) blast(path, (int64_t)number);
    else if (sscanf(line, "flood %4095s %lf", path, &number) == 2) flood(path, number);
    else if (strcmp(line, "echo") == 0) echo_raw();
    else if (strcmp(line, "pid") == 0) {
      int said = snprintf(word, sizeof word, "~~PID %d~~\n", getpid());
      put(word, (size_t)said);
    }
  }
  return 0;
}

static double cpu_ms(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

/* Reads until `marker`, which ends a line, has come. Returns the bytes before it. */
static int64_t read_until(int fd, const char *marker) {
  static char buffer[PIECE];
  char tail[64] = "";
  size_t want = strlen(marker), held = 0;
  int64_t total = 0;
  for (;;) {
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) die("the terminal ended early");
    total += got;
    size_t take = (size_t)got < want ? (size_t)got : want;
    if (held + take > want) {
      memmove(tail, tail + (held + take - want), want - take);
      held = want - take;
    }
    memcpy(tail + held, buffer + got - take, take);
    held += take;
    if (held == want && memcmp(tail, marker, want) == 0) return total - (int64_t)want;
  }
}

static int limit(const char *self, const char *file, const char *bytes) {
  struct winsize size = {.ws_row = 40, .ws_col = 120};
  int master;
  pid_t pid = forkpty(&master, NULL, NULL, &size);
  if (pid < 0) die("forkpty");
  if (pid == 0) {
    execl(self, self, (char *)NULL);
    die(self);
  }
  read_until(master, READY "\r\n");
  double cpu_before = cpu_ms();
  int64_t started = now_ns();
  if (dprintf(master, "blast %s %s\n", file, bytes) < 0) die("write");
  int64_t got = read_until(master, END "\r\n");
  printf("{\"bytes\":%lld,\"ms\":%.3f,\"cpuMs\":%.3f}\n", (long long)got, (double)(now_ns() - started) / 1e6,
         cpu_ms() - cpu_before);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  return 0;
}

int main(int count, char **words) {
  if (count == 4 && strcmp(words[1], "limit-pty") == 0) return limit(words[0], words[2], words[3]);
  return serve();
}
