/* SPDX-License-Identifier: BSD-3-Clause */
#include "env.h"
#include "base/log.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <shmem/device/state.h>

#define PREFIX "SHMEM_"
#define NAME_MAX_BYTES 64

/* Above this, addresses would no longer be differences that fit ptrdiff_t. */
#define SIZE_END 0x1p63L

enum category {
	STANDARD,
	ERRORS,
	MEMORY,
	DEVICES,
	NETWORK,
	TUNING,
	TESTING,
};

static const char *const category_names[] = {
	[STANDARD] = "OpenSHMEM", [ERRORS] = "errors",	 [MEMORY] = "memory",
	[DEVICES] = "devices",	  [NETWORK] = "network", [TUNING] = "tuning",
	[TESTING] = "testing",
};

static const char *const choice_words[] = {
	[SHMEMI_AUTO] = "auto",
	[SHMEMI_YES] = "yes",
	[SHMEMI_NO] = "no",
	NULL,
};

static const char *const progress_words[] = {
	[SHMEMI_BY_THREAD] = "thread", [SHMEMI_BY_CALLS] = "calls", NULL
};
static const char *const net_atomics_words[] = {
	[SHMEMI_BY_CPU] = "cpu", [SHMEMI_BY_DEVICE] = "device", NULL
};
static const char *const host_atomics_words[] = {
	[SHMEMI_ATOMICS_AUTO] = "auto",
	[SHMEMI_ATOMICS_NATIVE] = "native",
	[SHMEMI_ATOMICS_PROXY] = "proxy",
	NULL,
};
static const char *const barrier_words[] = {
	[SHMEMI_BARRIER_AUTO] = "auto",
	[SHMEMI_BARRIER_DISSEMINATION] = "dissemination",
	[SHMEMI_BARRIER_CENTRAL] = "central",
	NULL,
};

static const char *const coll_words[] = {
	[SHMEMI_COLL_AUTO] = "auto",
	[SHMEMI_COLL_FLAT] = "flat",
	[SHMEMI_COLL_NODE] = "node",
	[SHMEMI_COLL_DIRECT] = "direct",
	NULL,
};

static const char *const device_alltoall_words[] = {
	[SHMEMD_ALLTOALL_AUTO] = "auto",
	[SHMEMD_ALLTOALL_PACKETS] = "packets",
	[SHMEMD_ALLTOALL_PUSH] = "push",
	NULL,
};

/* Those that were not built in are refused by name when one is opened. */
const char *const shmemi_platform_words[] = { "auto", "cpu", "hip", "cuda",
					      NULL };

static const char *const wave_words[] = {
	[SHMEMI_WAVE_32] = "32",
	[SHMEMI_WAVE_64] = "64",
	NULL,
};

static const char *const gda_words[] = {
	[SHMEMI_GDA_AUTO] = "auto",
	[SHMEMI_GDA_NO] = "no",
	[SHMEMI_GDA_MLX5] = "mlx5",
	[SHMEMI_GDA_BNXT_RE] = "bnxt_re",
	[SHMEMI_GDA_IONIC] = "ionic",
	[SHMEMI_GDA_VERBS] = "verbs",
	NULL,
};
static const char *const gda_memory_words[] = {
	[SHMEMI_GDA_IN_HOST] = "host", [SHMEMI_GDA_IN_DEVICE] = "device", NULL
};
static const char *const gda_errors_words[] = {
	[SHMEMI_GDA_RETURN] = "return", [SHMEMI_GDA_ABORT] = "abort", NULL
};

static const char *const yes_words[] = { "1", "yes", "y", "true", "on", NULL };
static const char *const no_words[] = { "0", "no", "n", "false", "off", NULL };

struct row {
	enum { FLAG, BOOL, INT, SIZE, TEXT, ENUM, WORDS } kind;
	enum category category;
	const char *variable, *deprecated;
	const char *dflt, *help;
	size_t field;
	int min, max;
	bool or_auto;
	const char *const *words;
};

#define NONE .or_auto = false
#define OR_AUTO .or_auto = true
#define RANGE(low, high) .min = low, .max = high
#define ONE_OF(list) .words = list
#define ROW(kind_, NAME, field_, default_, spec, category_, help_) \
	{ .kind = kind_, \
	  .variable = PREFIX #NAME, \
	  .deprecated = "SMA_" #NAME, \
	  .field = offsetof(struct shmemi_env, field_), \
	  .dflt = default_, \
	  .category = category_, \
	  .help = help_, \
	  spec },
static const struct row rows[] = {
#include "env.def"
};
#undef ROW

#define NROWS (sizeof(rows) / sizeof(rows[0]))

/* Index of @text among @words, -1 if it is not there; case does not count. */
static int word_index(const char *const *words, const char *text, size_t length)
{
	int i;

	for (i = 0; words[i]; i++)
		if (strlen(words[i]) == length &&
		    !strncasecmp(words[i], text, length))
			return i;
	return -1;
}

static bool word_is(const char *const *words, const char *text)
{
	return word_index(words, text, strlen(text)) >= 0;
}

/* The standard says "any value"; who writes "no" is believed all the same. */
static int flag_parse(const struct row *row, const char *text, void *field)
{
	(void)row;
	*(shmemi_env_FLAG *)field = *text && !word_is(no_words, text);
	return 0;
}

static int bool_parse(const struct row *row, const char *text, void *field)
{
	const bool yes = word_is(yes_words, text);

	(void)row;
	if (!yes && !word_is(no_words, text))
		return -EINVAL;
	*(shmemi_env_BOOL *)field = yes;
	return 0;
}

static int int_parse(const struct row *row, const char *text, void *field)
{
	const char *digits = text + (*text == '-');
	char *end;
	const long long value = strtoll(text, &end, 10);

	if (!isdigit((unsigned char)*digits) || *end || value < row->min ||
	    value > row->max)
		return -EINVAL;
	*(shmemi_env_INT *)field = (int)value;
	return 0;
}

/* The program's locale may have another decimal point. */
static long double c_strtold(const char *text, char **end)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	const locale_t own = uselocale(c);
	const long double value = strtold(text, end);

	uselocale(own);
	if (c)
		freelocale(c);
	return value;
}

static bool is_decimal(const char *text)
{
	const char *digits = text + (*text == '.');

	return isdigit((unsigned char)*digits) &&
	       tolower((unsigned char)text[1]) != 'x';
}

/* A suffix is one letter; what follows it is not looked at. */
static int size_parse(const struct row *row, const char *text, void *field)
{
	static const char suffixes[] = "kmgt";
	const char *suffix;
	long double value;
	size_t bytes;
	char *end;

	if (row->or_auto && !strcasecmp(text, "auto")) {
		*(shmemi_env_SIZE *)field = SHMEMI_ENV_SIZE_AUTO;
		return 0;
	}
	if (!is_decimal(text))
		return -EINVAL;
	value = c_strtold(text, &end);
	if (*end) {
		suffix = strchr(suffixes, tolower((unsigned char)*end));
		if (!suffix)
			return -EINVAL;
		value *= UINT64_C(1) << 10 * (suffix - suffixes + 1);
	}
	if (!(value < SIZE_END))
		return -EINVAL;
	bytes = (size_t)value;
	*(shmemi_env_SIZE *)field = bytes + ((long double)bytes < value);
	return 0;
}

/* As it is; it lives as long as the environment's own copy. */
static int text_parse(const struct row *row, const char *text, void *field)
{
	(void)row;
	*(shmemi_env_TEXT *)field = text;
	return 0;
}

static int enum_parse(const struct row *row, const char *text, void *field)
{
	const int index = word_index(row->words, text, strlen(text));

	if (index < 0)
		return -EINVAL;
	*(shmemi_env_ENUM *)field = index;
	return 0;
}

static unsigned int words_all(const struct row *row)
{
	unsigned int mask = 0;
	int i;

	for (i = 0; row->words[i]; i++)
		mask |= 1u << i;
	return mask;
}

static int words_parse(const struct row *row, const char *text, void *field)
{
	static const char separators[] = ", ";
	unsigned int mask = 0;
	size_t length;
	int index;

	if (!strcasecmp(text, "all") || word_is(yes_words, text)) {
		*(shmemi_env_WORDS *)field = words_all(row);
		return 0;
	}
	if (!strcasecmp(text, "none") || word_is(no_words, text))
		text = "";
	while (*(text += strspn(text, separators))) {
		length = strcspn(text, separators);
		index = word_index(row->words, text, length);
		if (index < 0)
			return -EINVAL;
		mask |= 1u << index;
		text += length;
	}
	*(shmemi_env_WORDS *)field = mask;
	return 0;
}

static void flag_expect(const struct row *row, FILE *out)
{
	(void)row;
	fputs("anything; 0, no, n, false, off or nothing leaves it off", out);
}

static void bool_expect(const struct row *row, FILE *out)
{
	(void)row;
	fputs("yes or no (also 1, y, true, on; 0, n, false, off)", out);
}

static void int_expect(const struct row *row, FILE *out)
{
	if (row->max == INT_MAX)
		fprintf(out, "an integer of at least %d", row->min);
	else
		fprintf(out, "an integer from %d to %d", row->min, row->max);
}

static void size_expect(const struct row *row, FILE *out)
{
	fprintf(out, "%sa number of bytes that may end in k, m, g or t",
		row->or_auto ? "auto, or " : "");
}

static void text_expect(const struct row *row, FILE *out)
{
	(void)row;
	fputs("any text", out);
}

static void enum_expect(const struct row *row, FILE *out)
{
	int i;

	for (i = 0; row->words[i]; i++)
		fprintf(out, "%s%s", row->words[i],
			!row->words[i + 1] ? "" :
			!row->words[i + 2] ? " or " :
					     ", ");
}

static void words_expect(const struct row *row, FILE *out)
{
	int i;

	fputs("all, none, or some of", out);
	for (i = 0; row->words[i]; i++)
		fprintf(out, "%s%s", i ? "," : " ", row->words[i]);
}

static const struct {
	int (*parse)(const struct row *row, const char *text, void *field);
	void (*expect)(const struct row *row, FILE *out);
} kinds[] = {
	[FLAG] = { flag_parse, flag_expect },
	[BOOL] = { bool_parse, bool_expect },
	[INT] = { int_parse, int_expect },
	[SIZE] = { size_parse, size_expect },
	[TEXT] = { text_parse, text_expect },
	[ENUM] = { enum_parse, enum_expect },
	[WORDS] = { words_parse, words_expect },
};

static int row_parse(const struct row *row, const char *text,
		     struct shmemi_env *env)
{
	return kinds[row->kind].parse(row, text, (char *)env + row->field);
}

/* What the environment says, and by which variable; NULL for neither. */
static const char *row_value(const struct row *row, const char **source)
{
	const char *text = getenv(row->variable);

	*source = row->variable;
	if (!text && row->category == STANDARD) {
		text = getenv(row->deprecated);
		*source = row->deprecated;
	}
	if (!text)
		*source = NULL;
	return text;
}

bool shmemi_env_item(size_t index, struct shmemi_env_item *item)
{
	const struct row *row;
	struct shmemi_env scratch;
	FILE *expected;

	if (index >= NROWS)
		return false;
	row = &rows[index];
	*item = (struct shmemi_env_item){
		.name = row->variable,
		.dflt = row->dflt,
		.category = category_names[row->category],
		.help = row->help,
	};
	item->value = row_value(row, &item->source);
	if (!item->value)
		item->value = row->dflt;
	item->valid = !row_parse(row, item->value, &scratch);
	expected = fmemopen(item->expected, sizeof(item->expected), "w");
	if (expected) {
		kinds[row->kind].expect(row, expected);
		fclose(expected);
	}
	return true;
}

static bool is_known(const char *variable, size_t length)
{
	size_t i;

	for (i = 0; i < NROWS; i++)
		if (strlen(rows[i].variable) == length &&
		    !strncmp(rows[i].variable, variable, length))
			return true;
	return false;
}

const char *shmemi_env_unknown(size_t *cursor)
{
	extern char **environ;
	const char *entry;

	while (environ && (entry = environ[*cursor])) {
		++*cursor;
		if (!strncmp(entry, PREFIX, strlen(PREFIX)) &&
		    !is_known(entry, strcspn(entry, "=")))
			return entry;
	}
	return NULL;
}

/* Levenshtein's distance, one row of the table at a time. */
static size_t distance(const char *from, size_t nfrom, const char *to)
{
	size_t cost[NAME_MAX_BYTES + 1], nto = strlen(to), corner, above, i, j;

	for (i = 0; i <= nfrom; i++)
		cost[i] = i;
	for (j = 1; j <= nto; j++) {
		corner = cost[0];
		cost[0] = j;
		for (i = 1; i <= nfrom; i++) {
			above = cost[i];
			corner += toupper((unsigned char)from[i - 1]) !=
				  to[j - 1];
			if (corner > above + 1)
				corner = above + 1;
			if (corner > cost[i - 1] + 1)
				corner = cost[i - 1] + 1;
			cost[i] = corner;
			corner = above;
		}
	}
	return cost[nfrom];
}

const char *shmemi_env_nearest(const char *variable)
{
	const size_t length = strcspn(variable, "=");
	const char *nearest = NULL;
	size_t i, d, best = 1 + length / 4;

	if (length > NAME_MAX_BYTES)
		return NULL;
	for (i = 0; i < NROWS; i++) {
		d = distance(variable, length, rows[i].variable);
		if (d < best) {
			best = d;
			nearest = rows[i].variable;
		}
	}
	return nearest;
}

static void unknown_log(const char *entry)
{
	const int length = (int)strcspn(entry, "=");
	const char *nearest = shmemi_env_nearest(entry);
	const char *value = entry[length] ? entry + length + 1 : "";

	shmemi_log_error("%.*s=\"%.200s\": no such variable; expected %s",
			 length, entry, value,
			 nearest ?: "a name that shmem_info --env lists");
}

int shmemi_env_parse(struct shmemi_env *env)
{
	struct shmemi_env_item item;
	size_t i, cursor = 0;
	const char *entry;
	int rc = 0;

	for (i = 0; shmemi_env_item(i, &item); i++) {
		row_parse(&rows[i], item.valid ? item.value : item.dflt, env);
		if (item.valid)
			continue;
		shmemi_log_error("%s=\"%.200s\": expected %s", item.source,
				 item.value, item.expected);
		rc = -EINVAL;
	}
	while ((entry = shmemi_env_unknown(&cursor))) {
		unknown_log(entry);
		rc = -EINVAL;
	}
	return rc;
}

static void item_print(const struct shmemi_env_item *item, FILE *out)
{
	fprintf(out, "  %-24s %-10s  ", item->name, item->value);
	if (item->source)
		fprintf(out, "from %s, ", item->source);
	fprintf(out, "default %s\n", item->dflt);
	fprintf(out, "      %s\n      %s%s\n", item->help,
		item->valid ? "" : "ERROR: expected ", item->expected);
}

int shmemi_env_print(FILE *out)
{
	const char *category = "", *entry;
	struct shmemi_env_item item;
	size_t i, cursor = 0;
	int nerrors = 0;

	for (i = 0; shmemi_env_item(i, &item); i++) {
		if (strcmp(category, item.category))
			fprintf(out, "%s\n", item.category);
		category = item.category;
		item_print(&item, out);
		nerrors += !item.valid;
	}
	while ((entry = shmemi_env_unknown(&cursor))) {
		fprintf(out, "%s\n  ERROR: no such variable; expected %s\n",
			entry, shmemi_env_nearest(entry) ?: "one of these");
		nerrors++;
	}
	return nerrors;
}
