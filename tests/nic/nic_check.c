/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nic_impl.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static unsigned int wanted;
static struct nic_object *objects;
static pid_t owner;

static void print(const char *format, va_list args)
{
	char line[512];
	int n = snprintf(line, sizeof(line), "nic: [%d] ", (int)getpid());

	vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
	fprintf(stderr, "%s\n", line);
}

void nic_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(format, args);
	va_end(args);
}

void nic_refuse(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(format, args);
	va_end(args);
	abort();
}

void nic_lock(void)
{
	__atomic_fetch_add(&wanted, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&lock);
	__atomic_fetch_sub(&wanted, 1, __ATOMIC_RELAXED);
}

void nic_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

int nic_lock_wanted(void)
{
	return __atomic_load_n(&wanted, __ATOMIC_RELAXED) != 0;
}

void *nic_object_new(const char *kind, size_t bytes)
{
	static uint32_t n_objects;
	struct nic_object *object = calloc(1, bytes);

	if (!object)
		nic_refuse("no memory for a %s", kind);
	nic_lock();
	object->kind = kind;
	object->number = ++n_objects;
	object->next = objects;
	objects = object;
	nic_unlock();
	return object;
}

void nic_object_check(const void *p, const char *kind, const char *call)
{
	const struct nic_object *object = p;

	if (!object || !object->kind || strcmp(object->kind, kind))
		nic_refuse("%s: %p is not a %s", call, p, kind);
	if (object->gone)
		nic_refuse("%s: %s %u was destroyed before", call, kind,
			   object->number);
}

void nic_object_end(void *p, const char *kind, const char *call)
{
	struct nic_object *object = p;

	nic_object_check(p, kind, call);
	if (object->users)
		nic_refuse("%s: %s %u still has %u objects that need it", call,
			   kind, object->number, object->users);
	object->gone = 1;
}

void nic_object_leaks(void)
{
	unsigned int n = 0;
	struct nic_object *object, *next;

	for (object = objects; object; object = object->next) {
		if (object->gone)
			continue;
		nic_say("leak: %s %u was never destroyed", object->kind,
			object->number);
		n++;
	}
	if (n)
		nic_refuse("the process ends with %u objects", n);
	for (object = objects; object; object = next) {
		next = object->next;
		free(object);
	}
	objects = NULL;
}

int nic_mine(void)
{
	return owner == getpid();
}

__attribute__((constructor)) static void begin(void)
{
	owner = getpid();
}

/* At exit or when the module is unloaded: whichever is first. */
__attribute__((destructor)) static void end(void)
{
	if (!nic_mine())
		return;
	nic_thread_stop();
	nic_stats_write();
	nic_object_leaks();
	nic_map_close();
	nic_gpu_close();
	nic_registry_close();
}
