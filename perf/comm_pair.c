/* SPDX-License-Identifier: BSD-3-Clause */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "comm.h"
#include "pair.h"
#include "pair_meet.h"

enum {
	BLOCK_BYTES = 64 << 20,
	CARD_BYTES = 1024,
	PAGE_BYTES = 4096,
};

/* What one tells the other over the socket. */
struct card {
	uint64_t base, address_bytes, rkey_bytes;
	char address[CARD_BYTES], rkey[CARD_BYTES];
};

/* At the start of the block. */
struct words {
	long arrived; /* how many comm_sync()s the other one has reached */
	long value;   /* of the other one */
};

struct pair pair;
static struct {
	int fd;
	long syncs;
	size_t used_bytes;
} s;

static void check(ucs_status_t status, const char *what)
{
	if (status != UCS_OK)
		errx(1, "%s: %s", what, ucs_status_string(status));
}

void pair_wait(ucs_status_ptr_t request)
{
	ucs_status_t status = UCS_PTR_STATUS(request);

	if (UCS_PTR_IS_PTR(request)) {
		while ((status = ucp_request_check_status(request)) ==
		       UCS_INPROGRESS)
			ucp_worker_progress(pair.worker);
		ucp_request_free(request);
	}
	check(status, "UCP operation");
}

void pair_flush(void)
{
	static const ucp_request_param_t none;

	pair_wait(ucp_ep_flush_nbx(pair.ep, &none));
}

void pair_await(const volatile long *word, long value)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value)
		ucp_worker_progress(pair.worker);
}

static void open_worker(void)
{
	const ucp_params_t params = {
		.field_mask = UCP_PARAM_FIELD_FEATURES,
		.features = UCP_FEATURE_RMA | UCP_FEATURE_AMO64,
	};
	const ucp_worker_params_t worker = {
		.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
		.thread_mode = UCS_THREAD_MODE_SINGLE,
	};

	check(ucp_init(&params, NULL, &pair.context), "ucp_init");
	check(ucp_worker_create(pair.context, &worker, &pair.worker),
	      "ucp_worker_create");
}

static void open_block(void)
{
	const ucp_mem_map_params_t params = {
		.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH |
			      UCP_MEM_MAP_PARAM_FIELD_FLAGS,
		.length = BLOCK_BYTES,
		.flags = UCP_MEM_MAP_ALLOCATE,
	};
	ucp_mem_attr_t attr = { .field_mask = UCP_MEM_ATTR_FIELD_ADDRESS };

	check(ucp_mem_map(pair.context, &params, &pair.memh), "ucp_mem_map");
	check(ucp_mem_query(pair.memh, &attr), "ucp_mem_query");
	pair.base = attr.address;
	memset(pair.base, 0, PAGE_BYTES);
	s.used_bytes = PAGE_BYTES;
}

static void write_blob(char *to, uint64_t *to_bytes, const void *from,
		       size_t bytes, const char *what)
{
	if (bytes > CARD_BYTES)
		errx(1, "%s of %zu bytes", what, bytes);
	memcpy(to, from, bytes);
	*to_bytes = bytes;
}

static void write_card(struct card *card)
{
	ucp_address_t *address;
	size_t bytes;
	void *rkey;

	check(ucp_worker_get_address(pair.worker, &address, &bytes),
	      "ucp_worker_get_address");
	write_blob(card->address, &card->address_bytes, address, bytes,
		   "an address");
	ucp_worker_release_address(pair.worker, address);
	check(ucp_rkey_pack(pair.context, pair.memh, &rkey, &bytes),
	      "ucp_rkey_pack");
	write_blob(card->rkey, &card->rkey_bytes, rkey, bytes, "a remote key");
	ucp_rkey_buffer_release(rkey);
	card->base = (uint64_t)pair.base;
}

static void reach(const struct card *card)
{
	const ucp_ep_params_t params = {
		.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
		.address = (const ucp_address_t *)card->address,
	};

	check(ucp_ep_create(pair.worker, &params, &pair.ep), "ucp_ep_create");
	check(ucp_ep_rkey_unpack(pair.ep, card->rkey, &pair.rkey),
	      "ucp_ep_rkey_unpack");
	pair.peer_base = card->base;
}

static void meet(void)
{
	char byte = 0;

	meet_send(s.fd, &byte, 1);
	meet_receive(s.fd, &byte, 1);
}

void comm_open(void)
{
	struct card card = { 0 };

	s.fd = meet_open(&pair.me);
	open_worker();
	open_block();
	write_card(&card);
	meet_send(s.fd, &card, sizeof(card));
	meet_receive(s.fd, &card, sizeof(card));
	reach(&card);
	meet();
	comm_sync();
}

void comm_close(void)
{
	comm_sync();
	pair_flush();
	meet();
	ucp_rkey_destroy(pair.rkey);
	ucp_mem_unmap(pair.context, pair.memh);
	ucp_worker_destroy(pair.worker);
	ucp_cleanup(pair.context);
	close(s.fd);
}

int comm_me(void)
{
	return pair.me;
}

int comm_npes(void)
{
	return 2;
}

static void tell(const long *word, long value)
{
	static const ucp_request_param_t none;

	pair_wait(ucp_put_nbx(pair.ep, &value, sizeof(value), pair_remote(word),
			      pair.rkey, &none));
}

void comm_sync(void)
{
	const struct words *words = (const struct words *)pair.base;

	tell(&words->arrived, ++s.syncs);
	pair_await(&words->arrived, s.syncs);
}

void *comm_alloc(size_t bytes)
{
	char *mem = pair.base + s.used_bytes;

	s.used_bytes += (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	if (s.used_bytes > BLOCK_BYTES)
		errx(1, "no %zu bytes left of %d", bytes, BLOCK_BYTES);
	return mem;
}

/* With the whole block, at the end. */
void comm_free(void *mem)
{
	(void)mem;
}

/* The other one's value. */
static long swap_values(long value)
{
	const struct words *words = (const struct words *)pair.base;
	long other;

	tell(&words->value, value);
	pair_flush();
	comm_sync();
	other = words->value;
	comm_sync();
	return other;
}

long comm_agree(long value)
{
	const long other = swap_values(value);

	return pair.me ? other : value;
}

static void fetch(void *dst, const void *src, size_t bytes)
{
	static const ucp_request_param_t none;

	pair_wait(ucp_get_nbx(pair.ep, dst, bytes, pair_remote(src), pair.rkey,
			      &none));
}

void comm_max(double *v, size_t nelems)
{
	comm_sync();
	for (size_t i = 0; !pair.me && i < nelems; i++) {
		double other;

		fetch(&other, &v[i], sizeof(other));
		if (other > v[i])
			v[i] = other;
	}
	comm_sync();
}

long comm_sum(long value)
{
	return value + swap_values(value);
}

void comm_info_get(struct comm_info *info)
{
	*info = (struct comm_info){ 0 };
	snprintf(info->name, sizeof(info->name), "UCP %s",
		 ucp_get_version_string());
}
