// What the backend and the load generator both need of HTTP/1.1: heads, and where a body ends. They talk to programs that
// are under test, not to attackers: a message they do not understand is counted as an error and its connection closed.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_MAX = 32768 };
enum framing { BY_LENGTH, BY_CHUNKS, BY_CLOSE };
enum chunk_state { SIZE, SIZE_EXTENSION, DATA, DATA_END, TRAILER };

struct body {
  enum framing framing;
  long long left; // of the body, or of the current chunk
  enum chunk_state state;
  int line; // characters in the current trailer line
  int done;
};

static inline uint64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static inline void fail(const char *what) {
  perror(what);
  exit(1);
}

static inline void allow_many_files(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static inline void no_delay(int fd) {
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// Length of the head with its empty line, or 0 while that has not come.
static inline int head_length(const char *text, int length) {
  const char *end = memmem(text, length, "\r\n\r\n", 4);
  return end ? (int)(end - text) + 4 : 0;
}

// The value of a header, or NULL. `name` is in lower case and ends with a colon.
static inline const char *header(const char *head, int length, const char *name) {
  size_t n = strlen(name);
  for (const char *at = head; (at = memmem(at, head + length - at, "\r\n", 2)) != NULL;) {
    at += 2;
    if (head + length - at < (long)n) return NULL;
    if (strncasecmp(at, name, n)) continue;
    for (at += n; *at == ' '; at++) {}
    return at;
  }
  return NULL;
}

static inline struct body body_of(const char *head, int length, enum framing otherwise) {
  struct body body = {.framing = otherwise};
  const char *coding = header(head, length, "transfer-encoding:");
  const char *size = header(head, length, "content-length:");
  if (coding && !strncasecmp(coding, "chunked", 7)) body.framing = BY_CHUNKS;
  else if (size) {
    body.framing = BY_LENGTH;
    body.left = atoll(size);
  }
  body.done = body.framing == BY_LENGTH && body.left == 0;
  return body;
}

// Takes what belongs to the body and returns how many bytes that was; `*payload` grows by those that are not framing.
// Returns -1 for bytes that are no chunked coding.
static inline int take_body(struct body *b, const char *data, int length, long long *payload) {
  int at = 0;
  if (b->framing == BY_CLOSE) {
    *payload += length;
    return length;
  }
  while (at < length && !b->done) {
    char c = data[at];
    if (b->framing == BY_LENGTH || b->state == DATA) {
      long long n = length - at < b->left ? length - at : b->left;
      at += n;
      b->left -= n;
      *payload += n;
      if (b->left > 0) continue;
      if (b->framing == BY_LENGTH) b->done = 1;
      else b->state = DATA_END;
      continue;
    }
    at++;
    switch (b->state) {
      case SIZE:
        if (c >= '0' && c <= '9') b->left = b->left * 16 + c - '0';
        else if ((c | 32) >= 'a' && (c | 32) <= 'f') b->left = b->left * 16 + (c | 32) - 'a' + 10;
        else if (c == ';' || c == '\r') b->state = SIZE_EXTENSION;
        else return -1;
        break;
      case SIZE_EXTENSION:
        if (c == '\n') b->state = b->left ? DATA : TRAILER;
        b->line = 0;
        break;
      case DATA_END:
        if (c == '\n') b->state = SIZE;
        else if (c != '\r') return -1;
        break;
      default: // TRAILER: ends with an empty line
        if (c == '\n' && b->line == 0) b->done = 1;
        b->line = c == '\n' ? 0 : c == '\r' ? b->line : b->line + 1;
    }
  }
  return at;
}
