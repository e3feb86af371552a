/* SPDX-License-Identifier: BSD-3-Clause */
/* Which NICs a PE takes, by which address, and what it says of the others. */
#include "nics_fake.h"

#include <errno.h>

#define ROOM 16

static struct gda_fact facts[ROOM];
static int n_facts;

static void survey(int local_rank)
{
	char why[128] = "";

	memset(facts, 0, sizeof(facts));
	n_facts = gda_survey(local_rank, facts, ROOM, why, sizeof(why));
	CHECK(n_facts >= 0);
	check_balance();
}

static const struct gda_fact *fact(const char *name)
{
	for (int i = 0; i < n_facts; i++)
		if (!strcmp(facts[i].name, name))
			return &facts[i];
	fprintf(stderr, "no %s\n", name);
	CHECK(!"a NIC of this name");
	return NULL;
}

/* The names of those that are taken, best first, with blanks. */
static const char *taken(int local_rank)
{
	static char text[256];
	size_t n = 0;

	survey(local_rank);
	*text = '\0';
	for (int number = 1; number <= n_facts; number++)
		for (int i = 0; i < n_facts; i++)
			if (facts[i].taken == number && n < sizeof(text))
				n += (size_t)snprintf(text + n,
						      sizeof(text) - n, "%s%s",
						      number > 1 ? " " : "",
						      facts[i].name);
	return text;
}

#define CHECK_TAKEN(local_rank, names) check_taken(local_rank, names, __LINE__)

static void check_taken(int local_rank, const char *names, int line)
{
	const char *is = taken(local_rank);

	if (strcmp(is, names))
		fprintf(stderr, "PE %d takes \"%s\", expected \"%s\"\n",
			local_rank, is, names);
	check(!strcmp(is, names), names, __FILE__, line);
}

static void check_why(const char *name, const char *words, int line)
{
	const struct gda_fact *f = fact(name);

	if (!strstr(f->why, words))
		fprintf(stderr, "%s: \"%s\"\n", name, f->why);
	check(!f->taken && strstr(f->why, words), words, __FILE__, line);
}

#define CHECK_WHY(name, words) check_why(name, words, __LINE__)

/* mlx5_1 is under the GPU's bridge, mlx5_0 on its socket. */
static void devices(void)
{
	fake_clear();
	fake_device("mlx5_0", "0000:0a:00.0");
	fake_device("mlx5_1", "0000:04:00.0");
	fake_device("mlx5_2", "0000:81:00.0");
	fake_file("mlx5_2", "ports/1/state", "1: DOWN\n");
	fake_file("mlx5_2", "ports/2/state", "4: ACTIVE\n");
	fake_file("mlx5_2", "ports/2/gids/0", "::ffff:10.0.0.2\n");
	fake_device("mlx5_3", "0000:82:00.0");
	fake_device("rxe0", "");
}

static void test_distance(void)
{
	devices();
	CHECK_TAKEN(0, "mlx5_1:1");
	CHECK_TAKEN(5, "mlx5_1:1");
	CHECK(n_facts == 6);
	CHECK(!strcmp(facts[0].name, "mlx5_1:1"));
	CHECK(fact("mlx5_1:1")->distance == 2);
	CHECK(fact("mlx5_0:1")->distance == 3);
	CHECK(fact("mlx5_3:1")->distance == 7);
	CHECK(fact("rxe0")->distance == -1);
	CHECK(!strcmp(fact("mlx5_1:1")->provider, "mlx5"));
	CHECK(!strcmp(fact("mlx5_1:1")->state, "active"));
	CHECK(!strcmp(fact("mlx5_2:1")->state, "down"));
	CHECK(fact("mlx5_1:1")->mtu_bytes == 4096);
	CHECK_WHY("mlx5_0:1", "SHMEM_GDA_NICS_PER_PE=1: others are as near");
	CHECK_WHY("mlx5_2:1", "the port is not active");
	CHECK_WHY("rxe0", "kernels can't drive this kind; SHMEM_GDA=verbs");
}

/* Equal NICs are shared out; where there are too few, all have some. */
static void test_several(void)
{
	devices();
	set("SHMEM_GDA_NICS_PER_PE", "3");
	CHECK_TAKEN(0, "mlx5_1:1 mlx5_0:1 mlx5_2:2");
	CHECK_TAKEN(1, "mlx5_1:1 mlx5_0:1 mlx5_3:1");
	set("SHMEM_GDA_NICS_PER_PE", "8");
	CHECK_TAKEN(1, "mlx5_1:1 mlx5_0:1 mlx5_2:2 mlx5_3:1");
	set("SHMEM_GDA_NICS_PER_PE", NULL);
	*shmemg_device.bus = '\0';
	CHECK_TAKEN(0, "mlx5_0:1");
	CHECK_TAKEN(1, "mlx5_1:1");
	CHECK_TAKEN(2, "mlx5_2:2");
	CHECK_TAKEN(3, "mlx5_3:1");
	CHECK_TAKEN(4, "mlx5_0:1");
	set("SHMEM_GDA_NICS_PER_PE", "2");
	CHECK_TAKEN(0, "mlx5_0:1 mlx5_1:1");
	CHECK_TAKEN(1, "mlx5_2:2 mlx5_3:1");
	set("SHMEM_GDA_NICS_PER_PE", NULL);
	fake_file("mlx5_0", "ports/1/speed", "32\n");
	fake_file("mlx5_1", "ports/1/speed", "32\n");
	CHECK_TAKEN(0, "mlx5_2:2");
	CHECK_TAKEN(1, "mlx5_3:1");
	CHECK_TAKEN(2, "mlx5_2:2");
	strcpy(shmemg_device.bus, FAKE_GPU);
}

static void test_lists(void)
{
	devices();
	set("SHMEM_GDA_NICS", "mlx5_0");
	CHECK_TAKEN(0, "mlx5_0:1");
	CHECK_WHY("mlx5_1", "SHMEM_GDA_NICS leaves it out");
	set("SHMEM_GDA_NICS", " mlx5_2:2 , rxe0");
	CHECK_TAKEN(0, "mlx5_2:2");
	CHECK_WHY("mlx5_2:1", "SHMEM_GDA_NICS leaves it out");
	CHECK_WHY("mlx5_3", "SHMEM_GDA_NICS leaves it out");
	set("SHMEM_GDA_NICS", "^mlx5_1,mlx5_0:1");
	CHECK_TAKEN(0, "mlx5_2:2");
	CHECK_WHY("mlx5_1", "SHMEM_GDA_NICS leaves it out");
	CHECK_WHY("mlx5_0:1", "SHMEM_GDA_NICS leaves it out");
	set("SHMEM_GDA_NICS", "^mlx5_1,mlx5_2:1");
	CHECK_TAKEN(0, "mlx5_0:1");
	CHECK_WHY("mlx5_2:1", "SHMEM_GDA_NICS leaves it out");
	set("SHMEM_GDA_NICS", "mlx5_2:1");
	CHECK_TAKEN(0, "");
}

/* Whoever looks at NICs says why not. */
static void check_bad(const char *name, const char *value, const char *words)
{
	char why[128];

	set(name, value);
	capture_start();
	CHECK(gda_survey(0, facts, ROOM, why, sizeof(why)) == -EINVAL);
	CHECK(!strcmp(why, "a setting is wrong"));
	CHECK_SAYS(words);
	capture_start();
	CHECK(gda_nics_found(why, sizeof(why)) == -EINVAL);
	CHECK_SAYS(words);
	capture_start();
	CHECK(gda_nics_open() == -EINVAL && !gda_n_nics);
	CHECK_SAYS(words);
	set(name, NULL);
}

static void check_malformed(const char *name, const char *value,
			    const char *words)
{
	set(name, value);
	capture_start();
	CHECK(gda_settings_check() == -EINVAL);
	CHECK_SAYS(words);
	check_bad(name, value, words);
}

/* Those to be used are there; others may be, on other nodes of the job. */
static void test_missing(void)
{
	devices();
	check_bad("SHMEM_GDA_NICS", "mlx5_0,mlx5_30",
		  "SHMEM_GDA_NICS=\"mlx5_0,mlx5_30\": this node has no NIC "
		  "mlx5_30; expected some of mlx5_");
	check_bad("SHMEM_GDA_NICS", " mlx5_2:2 , mlx5", "has no NIC mlx5;");
	check_bad("SHMEM_GDA_NICS", "mlx5_0, mlx5_2:3", "no NIC mlx5_2:3;");
	set("SHMEM_GDA_NICS", "^mlx5_bond_0,mlx5_2:1");
	CHECK_TAKEN(0, "mlx5_1:1");
	set("SHMEM_GDA_NICS", NULL);
	check_balance();
}

static void test_malformed(void)
{
	static const char *const lists[] = { "a,,b", ",a",  "a,",    "a, ",
					     "a:",   "a:0", "a:256", "a:x",
					     "a:1x", "^",   "a b",   "a:1:2",
					     "^^a",  ":1",  "a,^b",  "a:-1" };

	devices();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		check_malformed("SHMEM_GDA_NICS", lists[i],
				"expected devices or device:port with commas");
	check_malformed("SHMEM_GDA_MTU", "1000",
			"SHMEM_GDA_MTU=1000: expected "
			"256, 512, 1024, 2048 or 4096");
	check_malformed("SHMEM_GDA_MTU", "128", "or 0 for what the port has");
	check_balance();
}

static void test_mtu(void)
{
	devices();
	set("SHMEM_GDA_MTU", "1024");
	survey(0);
	CHECK(fact("mlx5_1:1")->mtu_bytes == 1024);
	fake_file("mlx5_1", "ports/1/mtu", "2\n");
	survey(0);
	CHECK(fact("mlx5_1:1")->mtu_bytes == 512);
	set("SHMEM_GDA_MTU", "4096");
	survey(0);
	CHECK(fact("mlx5_1:1")->mtu_bytes == 512);
}

/* Other kinds than the one asked for, or without their library. */
static void test_kinds(void)
{
	devices();
	fake_device("bnxt_re0", "0000:04:00.0");
	capture_start();
	CHECK_TAKEN(0, "mlx5_1:1");
	CHECK_SAYS("");
	CHECK_WHY("bnxt_re0", "the library for bnxt_re lacks direct queues");
	set("SHMEM_GDA", "bnxt_re");
	capture_start();
	CHECK_TAKEN(0, "");
	CHECK_SAYS("has no bnxt_re_dv_");
	set("SHMEM_GDA", "ionic");
	CHECK_TAKEN(0, "");
	CHECK_WHY("mlx5_1", "SHMEM_GDA asks for another kind");
	set("SHMEM_GDA", "verbs");
	CHECK_TAKEN(0, "bnxt_re0:1");
	set("SHMEM_GDA_NICS", "rxe0");
	CHECK_TAKEN(0, "rxe0:1");
	set("SHMEM_GDA", "no");
	set("SHMEM_GDA_NICS", NULL);
	fake_file("bnxt_re0", "ports/1/state", "1: DOWN\n");
	capture_start();
	CHECK_TAKEN(0, "");
	CHECK_SAYS("");
	CHECK_WHY("mlx5_1:1", "SHMEM_GDA=no");
	set("SHMEM_GDA", NULL);
	shmemg = &shmemg_cpu;
	set("SHMEM_GDA_NICS", "mlx5_0");
	CHECK_TAKEN(0, "");
	CHECK_WHY("mlx5_0:1", "takes none where kernels run on CPUs");
	shmemg = &fake_gpu;
}

#define CHECK_GID(index, reason) check_gid(index, reason, __LINE__)

static void check_gid(int index, const char *reason, int line)
{
	survey(0);
	if (!strstr(fact("mlx5_1:1")->gid_reason, reason))
		fprintf(stderr, "GID %d: \"%s\"\n", fact("mlx5_1:1")->gid_index,
			fact("mlx5_1:1")->gid_reason);
	check(fact("mlx5_1:1")->gid_index == index &&
		      strstr(fact("mlx5_1:1")->gid_reason, reason),
	      reason, __FILE__, line);
}

/* As drivers fill the table, then without the best of what is left. */
static void test_gids(void)
{
	devices();
	fake_gid("mlx5_1", 0, "fe80::1", "IB/RoCE v1\n");
	fake_gid("mlx5_1", 1, "fe80::1", "RoCE v2\n");
	fake_gid("mlx5_1", 2, "2001:db8::7", "IB/RoCE v1\n");
	fake_gid("mlx5_1", 3, "2001:db8::7", "RoCE v2\n");
	fake_gid("mlx5_1", 4, "::ffff:169.254.0.1", "RoCE v2\n");
	fake_gid("mlx5_1", 5, "::ffff:10.1.2.3", "IB/RoCE v1\n");
	fake_gid("mlx5_1", 6, "::ffff:10.1.2.3", "RoCE v2\n");
	fake_gid("mlx5_1", 7, "::ffff:10.1.2.4", "RoCE v2\n");
	CHECK_GID(6, "RoCE v2, IPv4 address, the best of 8");
	CHECK(!strcmp(fact("mlx5_1:1")->gid, "::ffff:10.1.2.3"));
	set("SHMEM_GDA_GID", "2");
	CHECK_GID(2, "SHMEM_GDA_GID");
	set("SHMEM_GDA_GID", NULL);
	fake_gid("mlx5_1", 6, NULL, NULL);
	fake_gid("mlx5_1", 7, NULL, NULL);
	CHECK_GID(3, "RoCE v2, global IPv6 address, the best of 6");
	fake_gid("mlx5_1", 3, NULL, NULL);
	CHECK_GID(1, "RoCE v2, link-local address");
	fake_gid("mlx5_1", 1, NULL, NULL);
	fake_gid("mlx5_1", 4, NULL, NULL);
	CHECK_GID(5, "RoCE v1, IPv4 address");
	fake_gid("mlx5_1", 2, "2001:db8::7", NULL);
	CHECK_GID(2, "RoCE of unknown version, global IPv6");
	setenv("FAKE_GID_EX", "2", 1);
	CHECK_GID(5, "RoCE v2, IPv4 address");
	unsetenv("FAKE_GID_EX");
}

static void test_no_gid(void)
{
	devices();
	fake_gid("mlx5_1", 0, NULL, NULL);
	CHECK_TAKEN(0, "mlx5_0:1");
	CHECK_WHY("mlx5_1:1", "no address among the 8 places of the port");
	set("SHMEM_GDA_GID", "3");
	CHECK_TAKEN(0, "");
	CHECK_WHY("mlx5_0:1", "SHMEM_GDA_GID: no address at index 3 of 8");
	set("SHMEM_GDA_GID", "200");
	CHECK_TAKEN(0, "");
	set("SHMEM_GDA_GID", NULL);
	fake_file("mlx5_1", "ports/1/link_layer", "InfiniBand\n");
	fake_gid("mlx5_1", 0, "fe80::5", "IB/RoCE v1\n");
	fake_gid("mlx5_1", 1, "::ffff:10.0.0.1", "RoCE v2\n");
	CHECK_GID(0, "InfiniBand, the first");
}

static void check_found(int found, const char *words)
{
	char why[256];
	const int is = gda_nics_found(why, sizeof(why));

	if (is != found || !strstr(why, words))
		fprintf(stderr, "%d: %s\n", is, why);
	CHECK(is == found && strstr(why, words));
	check_balance();
}

static void test_found(void)
{
	devices();
	check_found(1, "");
	set("SHMEM_GDA_NICS", "mlx5_2:1,rxe0");
	check_found(0, "mlx5_2: no port is active");
	check_found(0, "mlx5_1: SHMEM_GDA_NICS leaves it out; ");
	check_found(0, "rxe0: kernels can't drive this kind");
	set("SHMEM_GDA_NICS", "mlx5_2:2");
	check_found(1, "");
	fake_clear();
	check_found(0, "there is no RDMA device on this node");
	set("SHMEM_GDA_LIBRARY", "/nowhere/libibverbs.so");
	check_found(0, "SHMEM_GDA_LIBRARY: /nowhere/libibverbs.so: ");
	set("SHMEM_GDA_LIBRARY", "libm.so.6");
	check_found(0, "libibverbs is too old, it has no ibv_get_device_list");
}

static void check_refused(const char *what, const char *words)
{
	setenv("FAKE_REFUSE", what, 1);
	capture_start();
	CHECK(gda_nics_open() < 0 && !gda_n_nics);
	CHECK_SAYS(words);
	unsetenv("FAKE_REFUSE");
	check_balance();
}

static void test_open(void)
{
	struct shmemi_peer peers[3] = { { .node = 0 },
					{ .node = 0 },
					{ .node = 0 } };

	devices();
	set("SHMEM_GDA_NICS_PER_PE", "3");
	shmemi.peers = peers;
	shmemi.me = 1;
	CHECK(!gda_nics_open());
	CHECK(gda_n_nics == 3);
	CHECK(!strcmp(gda_nics[2].name, "mlx5_3:1"));
	CHECK(gda_nics[2].index == 2 && gda_nics[2].port == 1);
	CHECK(gda_nics[2].pd);
	CHECK(gda_nic_mtu(&gda_nics[2]) == IBV_MTU_4096);
	CHECK(counts()->contexts == 3 && counts()->pds == 3);
	gda_nics_close();
	check_balance();
	peers[0].node = 1;
	CHECK(!gda_nics_open());
	CHECK(!strcmp(gda_nics[2].name, "mlx5_2:2"));
	gda_nics_close();
	shmemi.me = 0;
	check_refused("open", "mlx5_1:1: the device can't be opened: Perm");
	check_refused("pd", "NIC mlx5_1:1 gives no protection domain: Cannot");
	fake_clear();
	check_refused("", "there is no RDMA device on this node");
}

int main(void)
{
	fake_open();
	test_distance();
	test_several();
	test_lists();
	test_malformed();
	test_missing();
	test_mtu();
	test_kinds();
	test_gids();
	test_no_gid();
	test_found();
	test_open();
	fake_close();
	return 0;
}
