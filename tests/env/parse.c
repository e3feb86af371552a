/* SPDX-License-Identifier: BSD-3-Clause */
/* Each kind of variable, well-formed and not; precedence; unknown names. */
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "host/env.h"
#include "base/log.h"

static struct shmemi_env env;
static char text[CAPTURE_BYTES];
static int nfailed;

#define expect(condition, what) \
	((condition) ? (void)0 : failed(__LINE__, #condition, what))

static void failed(int line, const char *condition, const char *what)
{
	fprintf(stderr, "parse.c:%d: %s: not %s\n", line, what, condition);
	nfailed++;
}

static int parse(void)
{
	int rc;

	memset(&env, 0xa5, sizeof(env));
	capture_start();
	rc = shmemi_env_parse(&env);
	capture_stop(text);
	return rc;
}

static int parse_one(const char *variable, const char *value)
{
	clearenv();
	setenv(variable, value, 1);
	return parse();
}

static int nlines(void)
{
	const char *at = text;
	int n = 0;

	while ((at = strchr(at, '\n'))) {
		at++;
		n++;
	}
	return n;
}

/* One line that says what was wrong and what would not be. */
static void expect_refused(const char *variable, const char *value)
{
	char quoted[256];

	snprintf(quoted, sizeof(quoted), "%s=\"%s\": ", variable, value);
	expect(parse_one(variable, value) == -EINVAL, quoted);
	expect(nlines() == 1, quoted);
	expect(strstr(text, quoted), quoted);
	expect(strstr(text, "expected "), quoted);
}

static void expect_all_refused(const char *variable, const char *const *values)
{
	for (; *values; values++)
		expect_refused(variable, *values);
}

static void expect_taken(const char *variable, const char *value)
{
	expect(parse_one(variable, value) == 0, value);
	expect(!*text, text);
}

static void test_defaults(void)
{
	clearenv();
	expect(parse() == 0 && !*text, text);
	expect(!env.version && !env.info && !env.check, "flags");
	expect(env.debug == 0, "debug");
	expect(env.symmetric_size_bytes == (size_t)1 << 30, "size");
	expect(env.timeout_s == 60, "timeout");
	expect(env.static_data == SHMEMI_AUTO, "static");
	expect(env.huge_pages == SHMEMI_AUTO, "huge pages");
	expect(env.spin == -1, "spin");
	expect(env.barrier_algorithm == SHMEMI_BARRIER_AUTO, "barrier");
	expect(env.nt_threshold_bytes == SHMEMI_ENV_SIZE_AUTO, "threshold");
	expect(env.node_size == 0, "node size");
	expect(env.platform == 0 && env.gpu == -1, "platform");
	expect(env.cpu_wave == SHMEMI_WAVE_64, "wave");
	expect(env.cpu_host_access, "host access");
	expect(env.host_heap_size_bytes == SHMEMI_ENV_SIZE_AUTO, "host heap");
	expect(env.device_heap_size_bytes == SHMEMI_ENV_SIZE_AUTO,
	       "device heap");
}

static void test_flag(void)
{
	static const char *const on[] = { "1", "yes", "2", "please", " " };
	static const char *const off[] = { "", "0", "no", "N", "False", "off" };
	size_t i;

	for (i = 0; i < sizeof(on) / sizeof(on[0]); i++) {
		expect_taken("SHMEM_VERSION", on[i]);
		expect(env.version && !env.info, on[i]);
	}
	for (i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		expect_taken("SHMEM_INFO", off[i]);
		expect(!env.info, off[i]);
	}
}

static void test_bool(void)
{
	static const char *const on[] = { "1", "yes", "Y", "TRUE", "on" };
	static const char *const off[] = { "0", "no", "n", "false", "OFF" };
	static const char *const bad[] = { "", "2", "maybe", "yes ", "01",
					   "ye", NULL };
	size_t i;

	for (i = 0; i < 5; i++) {
		expect_taken("SHMEM_CHECK", on[i]);
		expect(env.check == true, on[i]);
		expect_taken("SHMEM_CHECK", off[i]);
		expect(env.check == false, off[i]);
	}
	expect_all_refused("SHMEM_CHECK", bad);
	expect(!env.check, "keeps the default");
}

static void test_int(void)
{
	static const char *const bad[] = {
		"", "-2", "-", "--1", "1.5", "1k", " 1", "1 ", "+1", "0x10",
		"2147483648", "99999999999999999999", "auto", NULL,
	};

	expect_taken("SHMEM_SPIN", "-1");
	expect(env.spin == -1, "-1");
	expect_taken("SHMEM_SPIN", "0");
	expect(env.spin == 0, "0");
	expect_taken("SHMEM_SPIN", "2147483647");
	expect(env.spin == INT_MAX, "INT_MAX");
	expect_taken("SHMEM_NODE_SIZE", "08");
	expect(env.node_size == 8, "08");
	expect_taken("SHMEM_TIMEOUT", "1");
	expect(env.timeout_s == 1, "1");
	expect_all_refused("SHMEM_SPIN", bad);
	expect(env.spin == -1, "keeps the default");
	expect_refused("SHMEM_NODE_SIZE", "-1");
	expect_refused("SHMEM_TIMEOUT", "0");
	expect_refused("SHMEM_TIMEOUT", "86401");
	expect(strstr(text, "from 1 to 86400\n"), text);
	expect(env.timeout_s == 60, "keeps the default");
}

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
#define TIB ((size_t)1 << 40)

static const struct {
	const char *value;
	size_t bytes;
} sizes[] = {
	{ "0", 0 },
	{ "0.0", 0 },
	{ "1", 1 },
	{ "00012", 12 },
	{ "20971520", 20 * MIB },
	{ "1k", KIB },
	{ "1K", KIB },
	{ "20m", 20 * MIB },
	{ "20M", 20 * MIB },
	{ "3g", 3 * GIB },
	{ "3G", 3 * GIB },
	{ "2t", 2 * TIB },
	{ "2T", 2 * TIB },
	{ "3.1m", 3250586 },
	{ "3.1M", 3250586 },
	{ ".5m", 512 * KIB },
	{ "5.", 5 },
	{ "5.k", 5 * KIB },
	{ "1.5", 2 },
	{ "0.1k", 103 },
	{ "0.0001", 1 },
	{ "0.1t", 109951162778 },
	{ "1e3", 1000 },
	{ "1E3k", 1000 * KIB },
	{ "2.5e-1k", 256 },
	{ "20kk", 20 * KIB },
	{ "20kB", 20 * KIB },
	{ "1MiB", MIB },
	{ "1g and more", GIB },
	{ "9007199254740993", 9007199254740993 },
	{ "8388607t", 8388607 * TIB },
};

static void test_size(void)
{
	static const char *const bad[] = {
		"", "-1", "-0", "-1k", "+1", " 1", "nan", "NAN(1)", "inf",
		"infinity", "0x10", "0X1p4", ".", ".k", "k", "g1", "1x", "1b",
		"1 k", "7e", "1.5.2", "1,5", "1e400", "9223372036854775808",
		"18446744073709551616", "8388608t", "1e19", "auto", NULL,
	};
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		expect_taken("SHMEM_SYMMETRIC_SIZE", sizes[i].value);
		expect(env.symmetric_size_bytes == sizes[i].bytes,
		       sizes[i].value);
	}
	expect_all_refused("SHMEM_SYMMETRIC_SIZE", bad);
	expect(env.symmetric_size_bytes == GIB, "keeps the default");
	expect_taken("SHMEM_NT_THRESHOLD", "256k");
	expect(env.nt_threshold_bytes == 256 * KIB, "256k");
	expect_taken("SHMEM_NT_THRESHOLD", "Auto");
	expect(env.nt_threshold_bytes == SHMEMI_ENV_SIZE_AUTO, "Auto");
	expect_refused("SHMEM_NT_THRESHOLD", "automatic");
}

/* Where the locale with a decimal comma is not installed, there is none. */
static void test_size_locale(void)
{
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		return;
	expect_taken("SHMEM_SYMMETRIC_SIZE", "3.1m");
	expect(env.symmetric_size_bytes == 3250586, "de_DE");
	expect_refused("SHMEM_SYMMETRIC_SIZE", "3,1m");
	setlocale(LC_NUMERIC, "C");
}

static void test_enum(void)
{
	static const char *const bad[] = { "", "1", "true", "aut", "autos",
					   "yes,no", NULL };

	expect_taken("SHMEM_STATIC", "yes");
	expect(env.static_data == SHMEMI_YES, "yes");
	expect_taken("SHMEM_STATIC", "NO");
	expect(env.static_data == SHMEMI_NO, "NO");
	expect_taken("SHMEM_HUGE_PAGES", "auto");
	expect(env.huge_pages == SHMEMI_AUTO, "auto");
	expect_taken("SHMEM_BARRIER_ALGORITHM", "dissemination");
	expect(env.barrier_algorithm == SHMEMI_BARRIER_DISSEMINATION, "");
	expect_taken("SHMEM_BARRIER_ALGORITHM", "central");
	expect(env.barrier_algorithm == SHMEMI_BARRIER_CENTRAL, "");
	expect_all_refused("SHMEM_HUGE_PAGES", bad);
	expect_all_refused("SHMEM_BARRIER_ALGORITHM", bad);
}

static void test_words(void)
{
	static const char *const bad[] = { "mem:rma", "memory", "2", "mem,all",
					   "mem,,x", "-mem", NULL };
	const unsigned int all = (1u << SHMEMI_TRACE_NCLASSES) - 1;

	expect_taken("SHMEM_DEBUG", "mem");
	expect(env.debug == SHMEMI_TRACE_MEM, "mem");
	expect_taken("SHMEM_DEBUG", "BOOT,init, mem,mem,");
	expect(env.debug == (SHMEMI_TRACE_BOOT | SHMEMI_TRACE_INIT |
			     SHMEMI_TRACE_MEM), "list");
	expect_taken("SHMEM_DEBUG", "all");
	expect(env.debug == all, "all");
	expect_taken("SHMEM_DEBUG", "1");
	expect(env.debug == all, "1");
	expect_taken("SHMEM_DEBUG", "none");
	expect(env.debug == 0, "none");
	expect_taken("SHMEM_DEBUG", "0");
	expect(env.debug == 0, "0");
	expect_taken("SHMEM_DEBUG", "");
	expect(env.debug == 0, "empty");
	expect_all_refused("SHMEM_DEBUG", bad);
}

static void test_precedence(void)
{
	expect_taken("SMA_SYMMETRIC_SIZE", "2m");
	expect(env.symmetric_size_bytes == 2 * MIB, "SMA_ alone");
	setenv("SHMEM_SYMMETRIC_SIZE", "3m", 1);
	expect(parse() == 0, text);
	expect(env.symmetric_size_bytes == 3 * MIB, "SHMEM_ wins");
	setenv("SMA_SYMMETRIC_SIZE", "bad", 1);
	expect(parse() == 0, "a loser is not looked at");
	expect_taken("SMA_VERSION", "1");
	expect(env.version, "SMA_VERSION");
	expect_taken("SMA_INFO", "1");
	expect(env.info, "SMA_INFO");
	expect_taken("SMA_DEBUG", "rma");
	expect(env.debug == SHMEMI_TRACE_RMA, "SMA_DEBUG");
	expect_refused("SMA_SYMMETRIC_SIZE", "bad");
	expect_refused("SMA_DEBUG", "bad");
}

static void test_unknown(void)
{
	expect_taken("SMA_CHECK", "bad");
	expect(!env.check, "SMA_ is for the standard's four only");
	expect_taken("SMA_WHATEVER", "1");
	expect_taken("SHMEMX_WHATEVER", "1");
	expect_taken("OSHMEM_CHECK", "1");
	expect_taken("SHMEM", "1");

	expect_refused("SHMEM_SYMETRIC_SIZE", "1g");
	expect(strstr(text, "expected SHMEM_SYMMETRIC_SIZE\n"), text);
	expect_refused("SHMEM_SYMMETRIC_HEAP_SIZE", "1g");
	expect(strstr(text, "expected SHMEM_SYMMETRIC_SIZE\n"), text);
	expect_refused("SHMEM_check", "");
	expect(strstr(text, "expected SHMEM_CHECK\n"), text);
	expect_refused("SHMEM_CHECKS", "1");
	expect(strstr(text, "expected SHMEM_CHECK\n"), text);
	expect_refused("SHMEM_BOUNCE_BUFFERS_LIMIT", "1");
	expect(strstr(text, "shmem_info"), text);
	expect_refused("SHMEM_", "1");
	expect_refused("SHMEM_A_NAME_THAT_IS_LONGER_THAN_ANY_THAT_THE_TABLE_"
		       "WILL_HOLD_AND_THEN_SOME_MORE_OF_IT", "1");
}

static void test_many(void)
{
	clearenv();
	setenv("SHMEM_SPIN", "x", 1);
	setenv("SHMEM_NODE_SIZE", "4", 1);
	setenv("SHMEM_STATIC", "y\nz", 1);
	setenv("SHMEM_NO_SUCH", "1", 1);
	expect(parse() == -EINVAL, text);
	expect(nlines() == 3, text);
	expect(strstr(text, "\"y?z\""), text);
	expect(env.node_size == 4, "the others are read");
}

static void test_items(void)
{
#define ROW(...) +1
	const size_t nrows = 0
#include "host/env.def"
		;
#undef ROW
	struct shmemi_env_item item;
	size_t i;

	clearenv();
	for (i = 0; shmemi_env_item(i, &item); i++) {
		expect(item.valid, item.name);
		expect(!strncmp(item.name, "SHMEM_", 6), item.name);
		expect(!item.source, item.name);
		expect(!strcmp(item.value, item.dflt), item.name);
		expect(*item.help && *item.category, item.name);
		expect(*item.expected, item.name);
		expect(strlen(item.expected) < sizeof(item.expected) - 1,
		       item.name);
	}
	expect(i == nrows, "rows");
	setenv("SMA_DEBUG", "bad", 1);
	for (i = 0; shmemi_env_item(i, &item); i++)
		expect(item.valid == !!strcmp(item.name, "SHMEM_DEBUG"),
		       item.name);
}

int main(void)
{
	test_defaults();
	test_flag();
	test_bool();
	test_int();
	test_size();
	test_size_locale();
	test_enum();
	test_words();
	test_precedence();
	test_unknown();
	test_many();
	test_items();
	return nfailed != 0;
}
