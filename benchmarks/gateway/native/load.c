// A load generator: `load port=P request=FILE head=BYTES expect=BYTES [conns=64] [ms=2000] [rate=R] [each=N]`.
// FILE is one whole request, HEAD its head's length; `@@@@@@@@` in the head becomes the number of the session, which every
// four requests share. Closed loop: each connection sends its next request when the reply is whole. With `rate`, requests
// are sent by the clock, and their latency counts from the moment they were due. With `each`, a connection ends after so
// many requests. Prints one line of JSON; times are microseconds. A reply counts only when it is a 200 of EXPECT bytes.
#include "http.h"

enum { PER_SESSION = 4, RAMP = 25, ERRORS_MAX = 1000, GRACE_US = 60000000 };

struct conn {
  int fd, slot, busy, in_body, head_used, done_requests, epoll_out, last;
  size_t sent;
  struct body body;
  long long bytes;
  uint64_t due, first_byte;
  char head[HEAD_MAX], out[4096];
};

static int epoll, timer, port, conns = 64, each, head_size, session_at = -1;
static long long expect, rate, ms = 2000;
static char *request;
static size_t request_size;
static struct conn *all;
static uint64_t *backlog; // due times of requests that found no idle connection
static size_t backlog_from, backlog_to, backlog_room;
static long long started, finished, not_200, wrong_size, broken, replaced, open_conns;
static float *total_us, *first_us;
static size_t room;
static uint64_t began, until, finished_at;

static void arm_write(struct conn *c, int wanted) {
  if (c->epoll_out == wanted) return;
  c->epoll_out = wanted;
  struct epoll_event e = {.events = EPOLLIN | (wanted ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_MOD, c->fd, &e);
}

static void open_conn(struct conn *c) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (c->fd < 0) fail("socket");
  no_delay(c->fd);
  connect(c->fd, (struct sockaddr *)&to, sizeof to);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
  c->epoll_out = c->busy = c->in_body = c->head_used = 0;
  epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &e);
  open_conns++;
}

static void close_conn(struct conn *c) {
  close(c->fd);
  c->fd = -1;
  open_conns--;
}

static void push_out(struct conn *c) {
  while (c->sent < request_size) {
    struct iovec parts[2];
    int n = 0;
    if (c->sent < (size_t)head_size) parts[n++] = (struct iovec){c->out + c->sent, head_size - c->sent};
    size_t from = c->sent > (size_t)head_size ? c->sent : (size_t)head_size;
    if (from < request_size) parts[n++] = (struct iovec){request + from, request_size - from};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = n};
    ssize_t wrote = sendmsg(c->fd, &message, MSG_NOSIGNAL);
    if (wrote < 0) break; // not connected yet, full, or broken: reading tells
    c->sent += wrote;
  }
  arm_write(c, c->sent < request_size);
}

static void start(struct conn *c, uint64_t due) {
  memcpy(c->out, request, head_size);
  if (session_at >= 0) {
    char number[9];
    sprintf(number, "%08llx", (started / PER_SESSION) & 0xffffffff);
    memcpy(c->out + session_at, number, 8);
  }
  started++;
  c->busy = 1;
  c->sent = 0;
  c->bytes = 0;
  c->due = due;
  c->first_byte = 0;
  push_out(c);
}

// What an idle connection does next.
static void idle(struct conn *c) {
  c->busy = 0;
  if (each && c->done_requests >= each) return close_conn(c);
  if (rate) {
    if (backlog_from < backlog_to) start(c, backlog[backlog_from++]);
  } else if (now_us() < until) start(c, now_us());
}

static void broke(struct conn *c) {
  int was_busy = c->busy;
  if (was_busy) broken++;
  close_conn(c);
  if (broken > ERRORS_MAX) return;
  if (now_us() < until && !each) {
    if (!was_busy) replaced++;
    open_conn(c);
    idle(c);
  }
}

static void finish(struct conn *c) {
  uint64_t now = now_us();
  if ((size_t)finished == room) {
    room = room ? room * 2 : 1 << 16;
    total_us = realloc(total_us, room * sizeof *total_us);
    first_us = realloc(first_us, room * sizeof *first_us);
  }
  total_us[finished] = now - c->due;
  first_us[finished] = c->first_byte - c->due;
  finished++;
  finished_at = now;
  c->done_requests++;
  if (c->bytes != expect) wrong_size++;
  if (c->last) {
    c->busy = 0;
    broke(c);
  } else idle(c);
}

// Returns 0 when the bytes are no response.
static int take(struct conn *c, const char *data, int length) {
  while (length > 0) {
    if (!c->busy) return 0;
    if (!c->in_body) {
      int free_bytes = HEAD_MAX - c->head_used, n = length < free_bytes ? length : free_bytes;
      if (n == 0) return 0;
      memcpy(c->head + c->head_used, data, n);
      int before = c->head_used, whole = head_length(c->head, before + n);
      if (whole == 0) {
        c->head_used += n;
        return 1;
      }
      data += whole - before;
      length -= whole - before;
      c->head_used = 0;
      if (strncmp(c->head, "HTTP/1.1 100", 12) == 0) continue;
      if (strncmp(c->head, "HTTP/1.1 200", 12)) not_200++;
      c->body = body_of(c->head, whole, BY_CLOSE);
      const char *connection = header(c->head, whole, "connection:");
      c->last = connection && !strncasecmp(connection, "close", 5);
      c->in_body = 1;
      if (length == 0 && !c->body.done) return 1;
    }
    if (!c->first_byte) c->first_byte = now_us();
    int n = take_body(&c->body, data, length, &c->bytes);
    if (n < 0) return 0;
    data += n;
    length -= n;
    if (!c->body.done) continue;
    c->in_body = 0;
    finish(c);
    if (c->fd < 0) return 1;
  }
  return 1;
}

static void readable(struct conn *c) {
  static char buffer[1 << 18];
  ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n > 0 && take(c, buffer, n)) return;
  if (n == 0 && c->busy && c->in_body && c->body.framing == BY_CLOSE) {
    c->in_body = 0;
    c->last = 1;
    return finish(c);
  }
  if (c->fd >= 0) broke(c);
}

// Sends what is due; opens a few connections per tick, so that no accept queue overflows.
static void tick(void) {
  static long long sent_by_clock;
  static int opened;
  uint64_t now = now_us(), ticks;
  if (read(timer, &ticks, sizeof ticks) < 0 && errno != EAGAIN) fail("timer");
  for (int i = 0; i < RAMP && opened < conns; i++, opened++) {
    open_conn(&all[opened]);
    if (!rate) start(&all[opened], now);
  }
  int at = 0;
  for (uint64_t due; rate && (due = began + sent_by_clock * 1000000 / rate) <= now && due < until; sent_by_clock++) {
    while (at < opened && (all[at].busy || all[at].fd < 0)) at++;
    if (at < opened) {
      start(&all[at], due);
      continue;
    }
    if (backlog_to == backlog_room) backlog = realloc(backlog, (backlog_room = backlog_room ? backlog_room * 2 : 4096) * sizeof *backlog);
    backlog[backlog_to++] = due;
  }
  struct itimerspec next = {0};
  uint64_t due = opened < conns ? now + 1000 : rate ? began + sent_by_clock * 1000000 / rate : 0;
  next.it_value.tv_sec = due / 1000000;
  next.it_value.tv_nsec = due % 1000000 * 1000;
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &next, NULL);
}

static int ascending(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static void quantiles(const char *name, float *values) {
  static const double shares[] = {0.5, 0.9, 0.99, 0.999, 1};
  static const char *names[] = {"p50", "p90", "p99", "p999", "max"};
  qsort(values, finished, sizeof *values, ascending);
  printf(",\"%s\":{", name);
  for (int i = 0; i < 5; i++) {
    long long at = shares[i] * finished;
    if (at >= finished) at = finished - 1;
    printf("%s\"%s\":%.0f", i ? "," : "", names[i], finished ? values[at] : 0);
  }
  printf("}");
}

static int busy_conns(void) {
  int busy = backlog_to > backlog_from;
  for (int i = 0; i < conns; i++) busy += all[i].fd >= 0 && all[i].busy;
  return busy;
}

static void read_arguments(int argc, char **argv) {
  const char *file = NULL;
  for (int i = 1; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (!value) exit((fprintf(stderr, "load: found %s, expected name=value\n", argv[i]), 2));
    *value++ = 0;
    if (!strcmp(argv[i], "port")) port = atoi(value);
    else if (!strcmp(argv[i], "request")) file = value;
    else if (!strcmp(argv[i], "head")) head_size = atoi(value);
    else if (!strcmp(argv[i], "expect")) expect = atoll(value);
    else if (!strcmp(argv[i], "conns")) conns = atoi(value);
    else if (!strcmp(argv[i], "ms")) ms = atoll(value);
    else if (!strcmp(argv[i], "rate")) rate = atoll(value);
    else if (!strcmp(argv[i], "each")) each = atoi(value);
    else exit((fprintf(stderr, "load: unknown argument %s\n", argv[i]), 2));
  }
  FILE *from = file ? fopen(file, "rb") : NULL;
  if (!from || !port || conns < 1) exit((fprintf(stderr, "load: needs port= and a readable request=\n"), 2));
  fseek(from, 0, SEEK_END);
  request_size = ftell(from);
  rewind(from);
  request = malloc(request_size);
  if (fread(request, 1, request_size, from) != request_size) fail(file);
  if (head_size <= 0 || head_size > 4096 || (size_t)head_size > request_size) exit((fprintf(stderr, "load: head= is no length of a head\n"), 2));
  const char *mark = memmem(request, head_size, "@@@@@@@@", 8);
  if (mark) session_at = mark - request;
}

int main(int argc, char **argv) {
  read_arguments(argc, argv);
  allow_many_files();
  epoll = epoll_create1(0);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  all = calloc(conns, sizeof *all);
  for (int i = 0; i < conns; i++) all[i].fd = -1;
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &e);
  began = now_us();
  until = began + ms * 1000;
  tick();
  int timed_out = 0;
  for (;;) {
    struct epoll_event ready[256];
    int n = epoll_wait(epoll, ready, 256, 100);
    for (int i = 0; i < n; i++) {
      struct conn *c = ready[i].data.ptr;
      if (!c) tick();
      else if (c->fd >= 0) {
        if (ready[i].events & EPOLLOUT && c->busy) push_out(c);
        if (ready[i].events & ~EPOLLOUT) readable(c);
      }
    }
    if (broken > ERRORS_MAX) break;
    uint64_t now = now_us();
    if (each ? open_conns == 0 && started >= conns : now >= until && busy_conns() == 0) break;
    if ((timed_out = now > until + GRACE_US)) break;
  }
  printf("{\"started\":%lld,\"finished\":%lld,\"not200\":%lld,\"wrongSize\":%lld,\"broken\":%lld,\"replaced\":%lld,\"timedOut\":%s,\"seconds\":%.6f",
         started, finished, not_200, wrong_size, broken, replaced, timed_out ? "true" : "false", (finished_at - began) / 1e6);
  quantiles("total", total_us);
  quantiles("firstByte", first_us);
  printf("}\n");
  return 0;
}
