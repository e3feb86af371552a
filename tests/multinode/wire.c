/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire NETNS:DEVICE...: makes a TAP device in each network namespace and
 * relays frames between them as a bad network would. It says "ready" when the
 * devices are there, reads commands on stdin, a line each, and runs as long as
 * the script that started it; the devices go with it.
 *
 *   delay MS, jitter MS          of each frame; in order
 *   loss, duplicate, reorder %   of the frames
 *   rate MBIT                    of each device's sending; 0 is no limit
 *   down N, up N                 the Nth device's cable, from 0
 *   clear                        none of these
 *   count                        prints frames taken, lost and delivered
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PORTS = 8, FRAME_BYTES = 2048, MAC_BYTES = 6, BURST = 64 };

/* What waits for a free sender longer than this is lost. */
#define QUEUE_NS 200000000u

struct frame {
	struct frame *next;
	uint64_t due_ns;
	size_t bytes;
	unsigned int to;
	unsigned char data[FRAME_BYTES];
};

struct port {
	int fd;
	int down;
	unsigned char mac[MAC_BYTES];
	uint64_t free_ns; /* when its sender has sent what it has */
	uint64_t last_ns; /* when its last frame is due */
};

static struct port ports[MAX_PORTS];
static unsigned int n_ports;
static struct frame *queue, *last; /* by due_ns */
static unsigned long taken, lost, delivered;
static uint64_t random_state;

static struct impairment {
	const char *name;
	double value;
} impairments[] = {
	{ "delay", 0 },	    { "jitter", 0 },  { "loss", 0 },
	{ "duplicate", 0 }, { "reorder", 0 }, { "rate", 0 },
};
enum { DELAY, JITTER, LOSS, DUPLICATE, REORDER, RATE, N_IMPAIRMENTS };

static double setting(int which)
{
	return impairments[which].value;
}

__attribute__((noreturn)) static void die(const char *what)
{
	fprintf(stderr, "wire: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* From 0 to 1. */
static double chance(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)(random_state >> 11) / (double)(1ull << 53);
}

static int happens(int which)
{
	return chance() * 100 < setting(which);
}

static uint64_t ms(double n)
{
	return (uint64_t)(n * 1e6);
}

static void net_enter(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die(path);
	close(fd);
}

static int tap_open(const char *netns, const char *device)
{
	struct ifreq r = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	net_enter(path);
	fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		die("/dev/net/tun");
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", device);
	if (ioctl(fd, TUNSETIFF, &r))
		die(device);
	return fd;
}

static void enqueue(const struct frame *f)
{
	struct frame **at = &queue, *copy = malloc(sizeof(*copy));

	if (!copy)
		die("memory");
	*copy = *f;
	if (queue && last->due_ns <= f->due_ns)
		at = &last->next;
	while (*at && (*at)->due_ns <= f->due_ns)
		at = &(*at)->next;
	copy->next = *at;
	*at = copy;
	if (!copy->next)
		last = copy;
}

/* When the frame arrives, or 0 if it does not. */
static uint64_t arrival(struct port *from, size_t bytes)
{
	uint64_t now = now_ns(), due;

	if (from->free_ns < now)
		from->free_ns = now;
	if (happens(LOSS) || from->free_ns - now > QUEUE_NS)
		return 0;
	if (setting(RATE) > 0)
		from->free_ns +=
			(uint64_t)((double)bytes * 8e3 / setting(RATE));
	due = from->free_ns + ms(setting(DELAY) + chance() * setting(JITTER));
	if (happens(REORDER))
		return due + ms(1 + setting(DELAY));
	if (due > from->last_ns)
		from->last_ns = due;
	return from->last_ns;
}

static int is_for(const struct frame *f, const struct port *p)
{
	for (unsigned int i = 0; i < n_ports; i++)
		if (!memcmp(ports[i].mac, f->data, MAC_BYTES))
			return p == &ports[i];
	return 1;
}

static void take(struct port *from, struct frame *f)
{
	taken++;
	memcpy(from->mac, f->data + MAC_BYTES, MAC_BYTES);
	f->due_ns = from->down ? 0 : arrival(from, f->bytes);
	if (!f->due_ns) {
		lost++;
		return;
	}
	for (f->to = 0; f->to < n_ports; f->to++) {
		if (&ports[f->to] == from || !is_for(f, &ports[f->to]))
			continue;
		enqueue(f);
		if (happens(DUPLICATE))
			enqueue(f);
	}
}

static void take_all(struct port *from)
{
	static struct frame f;
	ssize_t bytes;

	for (int n = 0; n < BURST; n++) {
		bytes = read(from->fd, f.data, sizeof(f.data));
		if (bytes <= 0)
			break;
		f.bytes = (size_t)bytes;
		take(from, &f);
	}
}

static void deliver(void)
{
	uint64_t now = now_ns();

	while (queue && queue->due_ns <= now) {
		struct frame *f = queue;
		const struct port *p = &ports[f->to];

		queue = f->next;
		if (p->down || write(p->fd, f->data, f->bytes) < 0)
			lost++;
		else
			delivered++;
		free(f);
	}
}

static void set_cable(const char *port, int down)
{
	unsigned long n = strtoul(port, NULL, 10);

	if (n < n_ports)
		ports[n].down = down;
}

static void clear(void)
{
	for (int i = 0; i < N_IMPAIRMENTS; i++)
		impairments[i].value = 0;
	for (unsigned int i = 0; i < n_ports; i++)
		ports[i].down = 0;
}

static void obey(char *line)
{
	char *value = strchr(line, ' ');

	if (value)
		*value++ = '\0';
	for (int i = 0; value && i < N_IMPAIRMENTS; i++)
		if (!strcmp(line, impairments[i].name)) {
			impairments[i].value = strtod(value, NULL);
			return;
		}
	if (value && (!strcmp(line, "down") || !strcmp(line, "up")))
		set_cable(value, *line == 'd');
	else if (!strcmp(line, "clear"))
		clear();
	else if (!strcmp(line, "count"))
		printf("%lu taken, %lu lost, %lu delivered\n", taken, lost,
		       delivered);
	else
		fprintf(stderr, "wire: no such command: %s\n", line);
}

/* Commands are short and written in whole lines. */
static void obey_all(void)
{
	char text[512], *save = NULL, *line;
	ssize_t bytes = read(STDIN_FILENO, text, sizeof(text) - 1);

	if (bytes <= 0)
		exit(0);
	text[bytes] = '\0';
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		obey(line);
}

static void wait_for_something(struct pollfd *fds)
{
	struct timespec left = { 0, 0 };
	uint64_t now = now_ns();

	if (queue && queue->due_ns > now) {
		left.tv_sec = (time_t)((queue->due_ns - now) / 1000000000u);
		left.tv_nsec = (long)((queue->due_ns - now) % 1000000000u);
	}
	if (ppoll(fds, n_ports + 1, queue ? &left : NULL, NULL) < 0 &&
	    errno != EINTR)
		die("poll");
}

static void relay(void)
{
	struct pollfd fds[MAX_PORTS + 1];

	for (unsigned int i = 0; i < n_ports; i++)
		fds[i] = (struct pollfd){ ports[i].fd, POLLIN, 0 };
	fds[n_ports] = (struct pollfd){ STDIN_FILENO, POLLIN, 0 };
	for (;;) {
		wait_for_something(fds);
		for (unsigned int i = 0; i < n_ports; i++)
			if (fds[i].revents)
				take_all(&ports[i]);
		if (fds[n_ports].revents)
			obey_all();
		deliver();
	}
}

int main(int argc, char **argv)
{
	const char *seed = getenv("SEED");
	int home;

	random_state = seed ? strtoull(seed, NULL, 0) : now_ns();
	random_state |= 1ull << 63;
	setvbuf(stdout, NULL, _IOLBF, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	for (int i = 1; i < argc && n_ports < MAX_PORTS; i++) {
		char *device = strchr(argv[i], ':');

		if (!device) {
			fprintf(stderr, "wire: %s: no NETNS:DEVICE\n", argv[i]);
			return 2;
		}
		*device++ = '\0';
		ports[n_ports++].fd = tap_open(argv[i], device);
	}
	/* Whoever looks for what runs on a host does not mean this. */
	if (home < 0 || setns(home, CLONE_NEWNET))
		die("/proc/self/ns/net");
	printf("ready\n");
	relay();
}
