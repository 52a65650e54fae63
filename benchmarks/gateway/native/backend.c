// A provider that is never the bottleneck: `backend N` opens N listeners that answer every request with the same reply, and
// a sink that takes traces. One thread. Commands on stdin, each answered by a line of JSON on stdout:
//   json                 replies are JSON of REPLY bytes
//   sse EVENTS GAP_US    replies are event streams, with a pause between two events or without
//   stats                what was received since the last `json`, `sse` or `stats`
#include "http.h"

enum { REPLY = 510, LISTENERS_MAX = 8 };
enum kind { LISTENER, CONNECTION, COMMANDS, TIMER };

struct conn {
  enum kind kind;
  int fd, listener, head_used, in_body, events_left, epoll_out, queued, dead;
  struct body body;
  char *head; // the part of a head that came so far
  char *out;  // what the socket did not take yet
  size_t out_length, out_from;
  uint64_t due;
  struct conn *next; // in the queue of streams that wait for their next event
};

static int epoll, timer, listeners, sink;
static char json_reply[2048], stream_head[512], event[512], last_event[64];
static int json_length, stream_head_length, event_length, last_length, payload_length;
static int sse, events, gap_us;
static long long requests[LISTENERS_MAX], body_bytes, traces, bad, connections, aborted;
static struct conn *first, *last; // all pauses are equally long, so the queue is in order

static void build_replies(void) {
  char body[REPLY + 1];
  const char *from = "{\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion\",\"created\":1700000000,\"model\":\"bench-model\","
                     "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"";
  const char *to = "\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":60,\"total_tokens\":69}}";
  memset(body, 'x', REPLY);
  memcpy(body, from, strlen(from));
  memcpy(body + REPLY - strlen(to), to, strlen(to) + 1);
  json_length = sprintf(json_reply, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s", REPLY, body);
  stream_head_length = sprintf(stream_head, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n");
  const char *data = "data: {\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"bench-model\","
                     "\"choices\":[{\"index\":0,\"delta\":{\"content\":\" token\"},\"finish_reason\":null}]}\n\n";
  payload_length = strlen(data);
  event_length = sprintf(event, "%x\r\n%s\r\n", payload_length, data);
  last_length = sprintf(last_event, "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
}

static void watch(struct conn *c, int op, uint32_t what) {
  struct epoll_event e = {.events = what, .data.ptr = c};
  if (epoll_ctl(epoll, op, c->fd, &e)) fail("epoll_ctl");
}

static void close_conn(struct conn *c) {
  if (c->dead) return;
  if (c->events_left > 0) aborted++;
  close(c->fd);
  c->dead = 1;
  free(c->out);
  free(c->head);
  c->out = c->head = NULL;
  // One that waits in the queue is freed when its turn comes.
  if (!c->queued) free(c);
}

static void put(struct conn *c, const char *data, size_t length) {
  size_t sent = 0;
  if (c->out_length == 0) {
    ssize_t n = send(c->fd, data, length, MSG_NOSIGNAL);
    if (n >= 0) sent = n;
    else if (errno != EAGAIN) return; // the read side will see it
  }
  if (sent == length) return;
  c->out = realloc(c->out, c->out_length + length - sent);
  memcpy(c->out + c->out_length, data + sent, length - sent);
  c->out_length += length - sent;
  if (!c->epoll_out) watch(c, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
  c->epoll_out = 1;
}

static void put_rest(struct conn *c) {
  ssize_t n = send(c->fd, c->out + c->out_from, c->out_length - c->out_from, MSG_NOSIGNAL);
  if (n < 0) return;
  c->out_from += n;
  if (c->out_from < c->out_length) return;
  c->out_from = c->out_length = 0;
  c->epoll_out = 0;
  watch(c, EPOLL_CTL_MOD, EPOLLIN);
}

static void arm(void) {
  struct itimerspec at = {0};
  if (first) {
    at.it_value.tv_sec = first->due / 1000000;
    at.it_value.tv_nsec = first->due % 1000000 * 1000;
  }
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void enqueue(struct conn *c, uint64_t due) {
  c->due = due;
  c->queued = 1;
  c->next = NULL;
  if (last) last->next = c;
  else first = c;
  last = c;
  if (first == c) arm();
}

static void next_event(struct conn *c) {
  put(c, event, event_length);
  if (--c->events_left == 0) put(c, last_event, last_length);
}

static void events_due(void) {
  uint64_t now = now_us(), ticks;
  if (read(timer, &ticks, sizeof ticks) < 0 && errno != EAGAIN) fail("timer");
  while (first && first->due <= now) {
    struct conn *c = first;
    first = c->next;
    if (!first) last = NULL;
    c->queued = 0;
    if (c->dead) {
      free(c);
      continue;
    }
    next_event(c);
    if (c->events_left > 0) enqueue(c, c->due + gap_us);
  }
  arm();
}

static void reply(struct conn *c) {
  requests[c->listener]++;
  if (c->listener == sink) {
    static const char taken[] = "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n";
    put(c, taken, sizeof taken - 1);
  } else if (!sse) put(c, json_reply, json_length);
  else {
    put(c, stream_head, stream_head_length);
    c->events_left = events;
    if (gap_us == 0) while (c->events_left > 0) next_event(c);
    else {
      next_event(c);
      if (c->events_left > 0) enqueue(c, now_us() + gap_us);
    }
  }
}

// One traced request has one span of this name; spans that a full queue dropped do not come.
static void count_traces(const char *data, int length) {
  const char *end = data + length;
  while ((data = memmem(data, end - data, "routing.select", 14)) != NULL) {
    traces++;
    data += 14;
  }
}

// Returns 0 when the connection cannot go on.
static int take(struct conn *c, const char *data, int length) {
  while (length > 0) {
    if (c->in_body) {
      if (c->listener == sink) count_traces(data, length);
      int n = take_body(&c->body, data, length, &body_bytes);
      if (n < 0) return 0;
      data += n;
      length -= n;
    } else {
      int room = HEAD_MAX - c->head_used, n = length < room ? length : room;
      if (n == 0) return 0;
      if (!c->head) c->head = malloc(HEAD_MAX);
      memcpy(c->head + c->head_used, data, n);
      int before = c->head_used, whole = head_length(c->head, c->head_used + n);
      if (whole == 0) {
        c->head_used += n;
        data += n;
        length -= n;
        continue;
      }
      c->body = body_of(c->head, whole, BY_LENGTH);
      c->in_body = 1;
      c->head_used = 0;
      data += whole - before;
      length -= whole - before;
    }
    if (c->in_body && c->body.done) {
      c->in_body = 0;
      reply(c);
    }
  }
  return 1;
}

static void readable(struct conn *c) {
  static char buffer[1 << 18];
  ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n > 0 && take(c, buffer, n)) return;
  if (n > 0) bad++;
  close_conn(c);
}

static void accept_all(struct conn *listener) {
  for (int fd; (fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
    struct conn *c = calloc(1, sizeof *c);
    *c = (struct conn){.kind = CONNECTION, .fd = fd, .listener = listener->listener};
    no_delay(fd);
    watch(c, EPOLL_CTL_ADD, EPOLLIN);
    connections++;
  }
}

static void stats(void) {
  printf("{\"requests\":[");
  for (int i = 0; i < listeners; i++) printf("%s%lld", i ? "," : "", requests[i]);
  printf("],\"bodyBytes\":%lld,\"traces\":%lld,\"bad\":%lld,\"connections\":%lld,\"aborted\":%lld", body_bytes, traces, bad, connections, aborted);
  memset(requests, 0, sizeof requests);
  body_bytes = traces = bad = connections = aborted = 0;
}

static void command(void) {
  static char text[4096];
  static int used;
  ssize_t n = read(0, text + used, sizeof text - used - 1);
  if (n <= 0) exit(0); // whoever started us is gone
  used += n;
  text[used] = 0;
  for (char *end; (end = strchr(text, '\n')) != NULL;) {
    *end = 0;
    int known = 1;
    if (!strcmp(text, "json")) sse = 0;
    else if (sscanf(text, "sse %d %d", &events, &gap_us) == 2 && events > 0) sse = 1;
    else known = !strcmp(text, "stats");
    if (known) stats();
    else printf("{\"error\":\"unknown command\"");
    int bytes = sse ? events * payload_length + 14 : REPLY;
    printf(",\"replyBytes\":%d}\n", bytes);
    fflush(stdout);
    used -= end + 1 - text;
    memmove(text, end + 1, used + 1);
  }
}

static int listen_on(int index) {
  struct conn *c = calloc(1, sizeof *c);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  *c = (struct conn){.kind = LISTENER, .fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), .listener = index};
  if (bind(c->fd, (struct sockaddr *)&address, size) || listen(c->fd, 4096)) fail("listen");
  getsockname(c->fd, (struct sockaddr *)&address, &size);
  watch(c, EPOLL_CTL_ADD, EPOLLIN);
  return ntohs(address.sin_port);
}

int main(int argc, char **argv) {
  listeners = argc > 1 ? atoi(argv[1]) : 3;
  if (listeners < 1 || listeners >= LISTENERS_MAX) return fprintf(stderr, "usage: backend LISTENERS (1 to %d)\n", LISTENERS_MAX - 1), 2;
  sink = listeners;
  allow_many_files();
  build_replies();
  epoll = epoll_create1(0);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct conn commands = {.kind = COMMANDS, .fd = 0}, ticks = {.kind = TIMER, .fd = timer};
  watch(&commands, EPOLL_CTL_ADD, EPOLLIN);
  watch(&ticks, EPOLL_CTL_ADD, EPOLLIN);
  printf("{\"event\":\"listening\",\"ports\":[");
  for (int i = 0; i < listeners; i++) printf("%s%d", i ? "," : "", listen_on(i));
  printf("],\"sink\":%d}\n", listen_on(sink));
  fflush(stdout);
  for (;;) {
    struct epoll_event ready[256];
    int n = epoll_wait(epoll, ready, 256, -1);
    for (int i = 0; i < n; i++) {
      struct conn *c = ready[i].data.ptr;
      if (c->kind == LISTENER) accept_all(c);
      else if (c->kind == COMMANDS) command();
      else if (c->kind == TIMER) events_due();
      else {
        if (ready[i].events & EPOLLOUT) put_rest(c);
        if (ready[i].events & ~EPOLLOUT) readable(c);
      }
    }
  }
}
