/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file that all processes of a job map. A lock of the file is given up by a
 * process that dies; the last process removes the file, and one that finds
 * only dead ones in it starts it anew.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nic_impl.h"

#define SLOTS 65536
#define FIRST_QP 17 /* the first ones are the specification's */
#define PROCESSES 4096

struct registry {
	int32_t pids[PROCESSES];
	uint32_t next_qp, next_mr;
	uint32_t n_mrs; /* ever: keys differ */
	uint32_t unused;
	struct nic_shared_qp qps[SLOTS];
	struct nic_shared_mr mrs[SLOTS];
};

static struct registry *registry;
static char path[4096];
static size_t prefix_bytes; /* of path: what all jobs of this user have */
static int file = -1;

static int usable(const char *dir)
{
	return dir && *dir && !access(dir, W_OK | X_OK);
}

static void path_set(void)
{
	const char *dir = getenv("NIC_DIR");
	const char *job = getenv("PMIX_NAMESPACE");
	char *slash;

	if (dir && !usable(dir))
		nic_refuse("NIC_DIR=%s can't be written", dir);
	if (!dir)
		dir = usable("/dev/shm") ? "/dev/shm" : getenv("TMPDIR");
	if (!usable(dir))
		dir = "/tmp";
	prefix_bytes = (size_t)snprintf(path, sizeof(path), "%s/nic-%u-", dir,
					(unsigned int)getuid());
	snprintf(path + prefix_bytes, sizeof(path) - prefix_bytes, "%s",
		 job ? job : "none");
	for (slash = path + strlen(dir) + 1; *slash; slash++)
		if (*slash == '/')
			*slash = '_';
}

void nic_shared_lock(void)
{
	while (flock(file, LOCK_EX))
		if (errno != EINTR)
			nic_refuse("%s: %s", path, strerror(errno));
}

void nic_shared_unlock(void)
{
	flock(file, LOCK_UN);
}

/* With the lock; 0: another process removed it in between. */
static int file_open(void)
{
	struct stat s;

	file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0)
		nic_refuse("%s: %s", path, strerror(errno));
	nic_shared_lock();
	if (!fstat(file, &s) && s.st_nlink)
		return 1;
	close(file);
	return 0;
}

/* Not one that has ended and only waits for its parent. */
int nic_alive(int pid)
{
	char name[64], line[256] = "";
	const char *state;
	FILE *stat;

	if (!pid)
		return 0;
	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	stat = fopen(name, "re");
	if (!stat)
		return 0;
	if (!fgets(line, sizeof(line), stat))
		line[0] = 0;
	fclose(stat);
	/* Behind the program's name, which may have any characters. */
	state = strrchr(line, ')');
	return state && !strchr("ZX", state[2]);
}

static int others_alive(const int32_t *pids)
{
	for (int i = 0; i < PROCESSES; i++)
		if (pids[i] != getpid() && nic_alive(pids[i]))
			return 1;
	return 0;
}

/* A file of another job: removed if it has ended without. */
static void remove_dead(const char *name)
{
	static int32_t pids[PROCESSES];
	const int fd = open(name, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB) &&
	    pread(fd, pids, sizeof(pids), 0) == (ssize_t)sizeof(pids) &&
	    !others_alive(pids))
		unlink(name);
	close(fd);
}

static void remove_all_dead(void)
{
	const size_t folder = (size_t)(strrchr(path, '/') - path);
	char name[sizeof(path) + 256];
	struct dirent *entry;
	DIR *dir;

	snprintf(name, sizeof(name), "%.*s", (int)folder, path);
	dir = opendir(name);
	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%.*s/%s", (int)folder, path,
			 entry->d_name);
		if (!strncmp(name, path, prefix_bytes) && strcmp(name, path))
			remove_dead(name);
	}
	closedir(dir);
}

/* 0: there is no room for it. */
static int enlist(void)
{
	for (int i = 0; i < PROCESSES; i++) {
		if (registry->pids[i])
			continue;
		registry->pids[i] = getpid();
		return 1;
	}
	return 0;
}

void nic_registry_open(void)
{
	if (registry)
		return;
	path_set();
	remove_all_dead();
	while (!file_open())
		continue;
	if (ftruncate(file, sizeof(*registry)))
		nic_refuse("%s: %s", path, strerror(errno));
	registry = mmap(NULL, sizeof(*registry), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_NORESERVE, file, 0);
	if (registry == MAP_FAILED)
		nic_refuse("%s: %s", path, strerror(errno));
	if (!others_alive(registry->pids) &&
	    (ftruncate(file, 0) || ftruncate(file, sizeof(*registry))))
		nic_refuse("%s: %s", path, strerror(errno));
	if (!enlist())
		nic_refuse("%s: more than %d processes", path, PROCESSES);
	nic_shared_unlock();
}

void nic_registry_close(void)
{
	if (!registry)
		return;
	nic_shared_lock();
	for (int i = 0; i < PROCESSES; i++)
		if (registry->pids[i] == getpid())
			registry->pids[i] = 0;
	if (!others_alive(registry->pids))
		unlink(path);
	nic_shared_unlock();
	munmap(registry, sizeof(*registry));
	registry = NULL;
	close(file);
	file = -1;
}

struct nic_shared_qp *nic_shared_qp_at(uint32_t slot)
{
	return &registry->qps[slot];
}

struct nic_shared_mr *nic_shared_mr_at(uint32_t slot)
{
	return &registry->mrs[slot];
}

/* Numbers have 24 bits: slot and how often it was taken. */
struct nic_shared_qp *nic_shared_qp_new(uint32_t *slot)
{
	uint32_t i, n;

	nic_shared_lock();
	n = registry->next_qp++;
	for (i = 0; i < SLOTS; i++, n = registry->next_qp++)
		if (n % SLOTS >= FIRST_QP && !registry->qps[n % SLOTS].number)
			break;
	if (i == SLOTS)
		nic_refuse("the job has no more queue pairs");
	*slot = n % SLOTS;
	memset(&registry->qps[*slot], 0, sizeof(struct nic_shared_qp));
	registry->qps[*slot].pid = getpid();
	registry->qps[*slot].number = n & 0xffffff;
	nic_shared_unlock();
	return &registry->qps[*slot];
}

/* Keys have 32 bits: slot, and 8 that differ from those before. */
struct nic_shared_mr *nic_shared_mr_new(uint32_t *slot)
{
	struct nic_shared_mr *mr;
	uint32_t i, n;

	nic_shared_lock();
	n = registry->next_mr++;
	for (i = 0; i < SLOTS; i++, n = registry->next_mr++)
		if (n % SLOTS && !registry->mrs[n % SLOTS].rkey)
			break;
	if (i == SLOTS)
		nic_refuse("the job has no more regions");
	*slot = n % SLOTS;
	mr = &registry->mrs[*slot];
	memset(mr, 0, sizeof(*mr));
	mr->pid = getpid();
	mr->rkey = *slot << 8 | (++registry->n_mrs * 37 & 0xff);
	nic_shared_unlock();
	return mr;
}

struct nic_shared_qp *nic_shared_qp_find(uint32_t number)
{
	struct nic_shared_qp *qp = &registry->qps[number % SLOTS];

	if (!number || __atomic_load_n(&qp->number, __ATOMIC_ACQUIRE) != number)
		return NULL;
	return qp;
}

struct nic_shared_mr *nic_shared_mr_find(uint32_t rkey)
{
	struct nic_shared_mr *mr = &registry->mrs[rkey >> 8 & (SLOTS - 1)];

	return rkey && __atomic_load_n(&mr->rkey, __ATOMIC_ACQUIRE) == rkey ?
		       mr :
		       NULL;
}
