/* SPDX-License-Identifier: BSD-3-Clause */
#include "strict.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GID_INDEX 3 /* RoCE v2 */
#define ACCESS \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
	 IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

/* What a side tells the other, in memory of both. */
struct told {
	uint32_t ready; /* 1: described, 2: connected */
	uint32_t qp_num, rkey, psn;
	uint64_t addr;
	union ibv_gid gid;
};

struct both {
	struct told side[2];
	_Alignas(4096) char memory[2][STRICT_BYTES];
};

static void *library;
static int case_pipe[2]; /* closed when the case's process ends */

void *strict_symbol(const char *name)
{
	void *p = dlsym(library, name);

	if (!p)
		strict_fail("there is no %s", name);
	return p;
}

void strict_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	_exit(1);
}

void strict_expect(const char *what, uint64_t got, uint64_t expected)
{
	if (got != expected)
		strict_fail("%s is 0x%llx, expected 0x%llx", what,
			    (unsigned long long)got,
			    (unsigned long long)expected);
}

void strict_pause(void)
{
	const struct timespec t = { 0, 20000 };

	nanosleep(&t, NULL);
}

void strict_refused(void)
{
	const struct timespec t = { 2, 0 };

	nanosleep(&t, NULL);
	strict_fail("the NIC did not refuse it");
}

void strict_fill(void *p, size_t bytes, uint64_t seed)
{
	for (size_t i = 0; i < bytes; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		((uint8_t *)p)[i] = (uint8_t)(seed >> 56);
	}
}

int strict_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	int (*modify)(struct ibv_qp *, struct ibv_qp_attr *, int) =
		strict_symbol("ibv_modify_qp");

	return modify(qp, attr, mask);
}

static void call_destroy(const char *name, void *object)
{
	int (*destroy)(void *) = strict_symbol(name);

	strict_expect(name, (uint64_t)destroy(object), 0);
}

struct ibv_qp *strict_create_qp(struct ibv_pd *pd,
				struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *(*create)(struct ibv_pd *, struct ibv_qp_init_attr *) =
		strict_symbol("ibv_create_qp");
	struct ibv_qp *qp = create(pd, attr);

	if (!qp)
		strict_fail("no queue pair");
	return qp;
}

void strict_dealloc_pd(struct ibv_pd *pd)
{
	call_destroy("ibv_dealloc_pd", pd);
}

void strict_destroy_qp(struct ibv_qp *qp)
{
	call_destroy("ibv_destroy_qp", qp);
}

void strict_destroy_cq(struct ibv_cq *cq)
{
	call_destroy("ibv_destroy_cq", cq);
}

/* --- One side --- */

static void library_open(void)
{
	const char *dir = getenv("BUILDDIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/nic/.libs/libnic.so",
		 dir ? dir : ".");
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		strict_fail("%s", dlerror());
}

static void side_open(struct strict *s, char *memory)
{
	struct ibv_device **(*list_get)(int *) =
		strict_symbol("ibv_get_device_list");
	void (*list_free)(struct ibv_device **) =
		strict_symbol("ibv_free_device_list");
	struct ibv_context *(*open)(struct ibv_device *) =
		strict_symbol("ibv_open_device");
	struct ibv_pd *(*alloc_pd)(struct ibv_context *) =
		strict_symbol("ibv_alloc_pd");
	struct ibv_mr *(*reg_mr)(struct ibv_pd *, void *, size_t, int) =
		strict_symbol("ibv_reg_mr");
	struct ibv_device **list = list_get(NULL);

	s->context = open(list[0]);
	list_free(list);
	s->pd = alloc_pd(s->context);
	s->memory = memory;
	s->mr = reg_mr(s->pd, memory, STRICT_BYTES, ACCESS);
	if (!s->context || !s->pd || !s->mr)
		strict_fail("the device can't be opened");
}

static void side_close(struct strict *s)
{
	call_destroy("ibv_dereg_mr", s->mr);
	strict_dealloc_pd(s->pd);
	call_destroy("ibv_close_device", s->context);
}

static void target_make(struct strict *s)
{
	struct ibv_cq *(*create_cq)(struct ibv_context *, int, void *, void *,
				    int) = strict_symbol("ibv_create_cq");
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = 1,
			 .max_recv_wr = 1,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};

	s->cq = create_cq(s->context, 1, NULL, NULL, 0);
	attr.send_cq = attr.recv_cq = s->cq;
	if (!s->cq)
		strict_fail("no completion queue of the target");
	s->qp = strict_create_qp(s->pd, &attr);
}

static void tell(const struct strict *s, struct told *mine)
{
	int (*query_gid)(struct ibv_context *, uint8_t, int, union ibv_gid *) =
		strict_symbol("ibv_query_gid");

	mine->qp_num = s->qp->qp_num;
	mine->rkey = s->mr->rkey;
	mine->addr = (uintptr_t)s->memory;
	mine->psn = s->psn;
	query_gid(s->context, 1, GID_INDEX, &mine->gid);
	__atomic_store_n(&mine->ready, 1, __ATOMIC_RELEASE);
}

static void wait_for(const struct told *peer, uint32_t ready)
{
	while (__atomic_load_n(&peer->ready, __ATOMIC_ACQUIRE) < ready)
		strict_pause();
}

static void connect(struct strict *s, const struct told *peer,
		    int (*modify)(struct ibv_qp *, struct ibv_qp_attr *, int))
{
	struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT,
				    .port_num = 1,
				    .qp_access_flags = ACCESS };
	struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR,
				   .path_mtu = IBV_MTU_1024,
				   .dest_qp_num = peer->qp_num,
				   .rq_psn = peer->psn,
				   .max_dest_rd_atomic = 16,
				   .min_rnr_timer = 12 };
	struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS,
				   .sq_psn = s->psn,
				   .max_rd_atomic = 16,
				   .timeout = 14,
				   .retry_cnt = 7,
				   .rnr_retry = 7 };
	int rc;

	rtr.ah_attr.is_global = 1;
	rtr.ah_attr.port_num = 1;
	rtr.ah_attr.grh.dgid = peer->gid;
	rtr.ah_attr.grh.sgid_index = GID_INDEX;
	rtr.ah_attr.grh.hop_limit = 64;
	rc = modify(s->qp, &init,
		    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			    IBV_QP_ACCESS_FLAGS);
	if (!rc)
		rc = modify(s->qp, &rtr,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				    IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				    IBV_QP_MAX_DEST_RD_ATOMIC |
				    IBV_QP_MIN_RNR_TIMER);
	if (!rc)
		rc = modify(s->qp, &rts,
			    IBV_QP_STATE | IBV_QP_SQ_PSN |
				    IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_TIMEOUT |
				    IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY);
	strict_expect("ibv_modify_qp", (uint64_t)rc, 0);
}

/* Until the case's own process has ended. */
static void target_run(struct both *both)
{
	struct strict s = { .psn = 0x123456 };
	char byte;

	close(case_pipe[1]);
	side_open(&s, both->memory[1]);
	target_make(&s);
	tell(&s, &both->side[1]);
	wait_for(&both->side[0], 1);
	connect(&s, &both->side[0], strict_modify_qp);
	__atomic_store_n(&both->side[1].ready, 2, __ATOMIC_RELEASE);
	if (read(case_pipe[0], &byte, 1))
		strict_fail("the pipe of the case: unexpected byte");
	strict_destroy_qp(s.qp);
	strict_destroy_cq(s.cq);
	side_close(&s);
	_exit(0);
}

static void case_run(const struct strict_format *format,
		     const struct strict_case *c, struct both *both)
{
	struct strict s = { .psn = 0xfffff0 };
	const struct told *peer = &both->side[1];

	close(case_pipe[0]);
	alarm(10);
	side_open(&s, both->memory[0]);
	format->make(&s);
	tell(&s, &both->side[0]);
	wait_for(peer, 1);
	connect(&s, peer, format->modify_qp);
	s.peer = both->memory[1];
	s.peer_addr = peer->addr;
	s.peer_rkey = peer->rkey;
	format->found(&s);
	wait_for(peer, 2);
	c->run(&s, c);
	format->destroy_qp(s.qp);
	format->destroy_cq(s.cq);
	format->end(&s);
	side_close(&s);
	_exit(0);
}

/* --- Cases --- */

static struct both *both_new(void)
{
	const int fd = memfd_create("strict", MFD_CLOEXEC);
	void *p;

	if (fd < 0 || ftruncate(fd, sizeof(struct both)))
		strict_fail("no memory of both sides");
	p = mmap(NULL, sizeof(struct both), PROT_READ | PROT_WRITE, MAP_SHARED,
		 fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		strict_fail("no memory of both sides");
	return p;
}

static pid_t process(const struct strict_format *format,
		     const struct strict_case *c, struct both *both, int fd)
{
	const struct rlimit no_core = { 0, 0 };
	const pid_t pid = fork();

	if (pid)
		return pid;
	setrlimit(RLIMIT_CORE, &no_core);
	dup2(fd, STDERR_FILENO);
	library_open();
	if (c)
		case_run(format, c, both);
	target_run(both);
	_exit(1);
}

static void read_all(int fd, char *text, size_t bytes)
{
	size_t n = 0;
	ssize_t got;

	while (n + 1 < bytes && (got = read(fd, text + n, bytes - n - 1)) > 0)
		n += (size_t)got;
	text[n] = 0;
}

static int as_expected(const struct strict_case *c, int status,
		       const char *text)
{
	if (!c->message)
		return WIFEXITED(status) && !WEXITSTATUS(status);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
	       strstr(text, c->message);
}

static int try(const struct strict_format *format, const struct strict_case *c)
{
	struct both *both = both_new();
	int out[2], status, peer_status;
	char text[16384];
	pid_t pid, peer;

	if (pipe(out) || pipe(case_pipe))
		strict_fail("no pipes");
	peer = process(format, NULL, both, STDERR_FILENO);
	pid = process(format, c, both, out[1]);
	close(out[1]);
	close(case_pipe[0]);
	close(case_pipe[1]);
	read_all(out[0], text, sizeof(text));
	waitpid(pid, &status, 0);
	waitpid(peer, &peer_status, 0);
	close(out[0]);
	munmap(both, sizeof(*both));
	if (as_expected(c, status, text) && !peer_status)
		return 0;
	printf("%s: status 0x%x, of its target 0x%x, expected %s%s; it "
	       "said:\n%s\n",
	       c->name, status, peer_status,
	       c->message ? "SIGABRT and " : "0 and nothing",
	       c->message ? c->message : "", text);
	return 1;
}

int strict_main(const struct strict_format *format,
		const struct strict_case *cases, size_t n)
{
	const char *only = getenv("ONLY");
	unsigned int n_failed = 0, n_run = 0;

	setenv("NIC_DEVICES", format->device, 1);
	for (size_t i = 0; i < n; i++) {
		if (only && strcmp(only, cases[i].name))
			continue;
		n_run++;
		n_failed += (unsigned int)try(format, &cases[i]);
	}
	printf("%s: %u cases, %u failed\n", format->device, n_run, n_failed);
	return n_failed != 0;
}
