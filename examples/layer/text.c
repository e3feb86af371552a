/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moe_layer.h"

/* Returns the length, or -1 and errno. */
static long read_stream(FILE *f, char **content)
{
	char chunk[4096];
	size_t n, size = 0;
	FILE *to = open_memstream(content, &size);
	int error;

	if (!to)
		return -1;
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		fwrite(chunk, 1, n, to);
	error = ferror(f) || ferror(to) ? errno : 0;
	if (fclose(to) && !error)
		error = errno;
	errno = error;
	return error ? -1 : (long)size;
}

/* Returns the length, or -1 after a message. */
static long read_file(const char *path, char **content)
{
	FILE *f = fopen(path, "r");
	const long size = f ? read_stream(f, content) : -1;

	if (size < 0)
		fprintf(stderr,
			"moe_layer: cannot read %s: %s; name a text "
			"file on the command line\n",
			path, strerror(errno));
	if (f)
		fclose(f);
	return size;
}

/* The length of the token at s, which has n > 0 bytes and starts with none of
 * isspace. Bytes of UTF-8 sequences count as letters. */
static long token_length(const unsigned char *s, long n)
{
	long len = 0;

	while (len < n && (isalnum(s[len]) || s[len] >= 0x80))
		len++;
	return len ? len : 1;
}

/* FNV-1a. */
static uint64_t hash_bytes(const unsigned char *s, long n)
{
	uint64_t h = 0xcbf29ce484222325;

	for (long i = 0; i < n; i++)
		h = (h ^ s[i]) * 0x100000001b3;
	return h;
}

static void split(struct text *text, const unsigned char *s)
{
	text->ntokens = 0;
	text->tokens = local_alloc((size_t)text->bytes * sizeof(uint64_t));
	for (long i = 0, len = 1; i < text->bytes; i += len) {
		len = 1;
		if (isspace(s[i]))
			continue;
		len = token_length(s + i, text->bytes - i);
		text->tokens[text->ntokens++] = hash_bytes(s + i, len);
	}
}

bool text_read(struct text *text, const char *path)
{
	const bool first = shmem_my_pe() == 0;
	char *content = NULL;

	if (first)
		text->bytes = read_file(path, &content);
	from_pe0(&text->bytes, sizeof(text->bytes));
	if (text->bytes < 0) {
		free(content);
		return false;
	}
	if (!first)
		content = local_alloc((size_t)text->bytes);
	from_pe0(content, (size_t)text->bytes);
	split(text, (const unsigned char *)content);
	free(content);
	if (!text->ntokens && first)
		fprintf(stderr, "moe_layer: %s holds no words\n", path);
	return text->ntokens > 0;
}

uint64_t text_token(const struct text *text, long i)
{
	return text->tokens[(i + text->ntokens) % text->ntokens];
}

void text_free(struct text *text)
{
	free(text->tokens);
}
