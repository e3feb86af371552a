/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/hosts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/message.h"
#include "launch/options.h"

__attribute__((noreturn)) static void misuse(const char *where,
					     const char *text)
{
	oshrun_say("%s: \"%s\": expected HOST or HOST:N", where, text);
	exit(OSHRUN_EXIT_USAGE);
}

__attribute__((noreturn)) static void out_of_memory(void)
{
	oshrun_say("out of memory");
	exit(OSHRUN_EXIT_RESOURCE);
}

static void add_host(struct host_list *list, const char *name, unsigned slots)
{
	struct host *h = realloc(list->hosts, (list->nhosts + 1) * sizeof(*h));

	if (!h || !(h[list->nhosts].name = strdup(name)))
		out_of_memory();
	h[list->nhosts++].slots = slots;
	list->hosts = h;
}

static unsigned parse_slots(const char *text, const char *where,
			    const char *whole)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (!isdigit((unsigned char)*text) || *end || n < 1 ||
	    n > OSHRUN_MAX_NPES)
		misuse(where, whole);
	return (unsigned)n;
}

/* "name", "name:N" or, with brackets for IPv6, "[addr]:N". */
static void add_item(struct host_list *list, const char *item,
		     const char *where)
{
	char name[256];
	const char *start = item + (*item == '[');
	size_t len = *item == '[' ? strcspn(start, "]") : strcspn(start, ":");
	const char *rest = start + len + (*item == '[');
	unsigned slots = 1;

	if (!len || len >= sizeof(name) || (*item == '[' && !start[len]))
		misuse(where, item);
	memcpy(name, start, len);
	name[len] = '\0';
	if (*rest == ':')
		slots = parse_slots(rest + 1, where, item);
	else if (*rest)
		misuse(where, item);
	add_host(list, name, slots);
}

static void read_option(const char *text, struct host_list *list)
{
	char *copy = strdup(text), *save = NULL, *item;

	if (!copy)
		out_of_memory();
	if (!*text || text[strlen(text) - 1] == ',')
		misuse("--host", text);
	for (item = strtok_r(copy, ",", &save); item;
	     item = strtok_r(NULL, ",", &save))
		add_item(list, item, "--host");
	free(copy);
}

/* "HOST", "HOST:N" or "HOST slots=N"; "#" starts a comment. */
static void read_line(char *line, struct host_list *list, const char *file)
{
	char *save = NULL, *item, *word;

	line[strcspn(line, "#\n")] = '\0';
	item = strtok_r(line, " \t\r", &save);
	if (!item)
		return;
	add_item(list, item, file);
	while ((word = strtok_r(NULL, " \t\r", &save)))
		if (!strncmp(word, "slots=", 6))
			list->hosts[list->nhosts - 1].slots =
				parse_slots(word + 6, file, word);
}

static void read_file(const char *file, struct host_list *list)
{
	FILE *f = fopen(file, "re");
	char *line = NULL;
	size_t room = 0;

	if (!f) {
		oshrun_say("--hostfile %s: %s", file, strerror(errno));
		exit(OSHRUN_EXIT_USAGE);
	}
	while (getline(&line, &room, f) >= 0)
		read_line(line, list, file);
	free(line);
	fclose(f);
	if (!list->nhosts) {
		oshrun_say("--hostfile %s: no host in it", file);
		exit(OSHRUN_EXIT_USAGE);
	}
}

void hosts_read(const struct oshrun_options *opt, struct host_list *list)
{
	if (opt->hosts)
		read_option(opt->hosts, list);
	if (opt->hostfile)
		read_file(opt->hostfile, list);
}

static bool is_local(const char *name, const char *self)
{
	const size_t len = strcspn(self, ".");

	return !strcmp(name, "localhost") || !strcmp(name, "127.0.0.1") ||
	       !strcmp(name, "::1") || !strcasecmp(name, self) ||
	       (!strncasecmp(name, self, len) && !name[len]);
}

bool hosts_are_remote(const struct host_list *list)
{
	char self[256] = "";

	gethostname(self, sizeof(self) - 1);
	for (unsigned i = 0; i < list->nhosts; i++)
		if (!is_local(list->hosts[i].name, self))
			return true;
	return false;
}

unsigned hosts_count_slots(const struct host_list *list)
{
	unsigned n = 0;

	for (unsigned i = 0; i < list->nhosts; i++)
		n += list->hosts[i].slots;
	return n;
}
