/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the program that it has shown to kernels. */
#ifndef SHMEMI_BUFFER_H
#define SHMEMI_BUFFER_H

/* Whether p lies in some. */
int shmemi_buffer_holds(const void *p);

/* Before the platform's segments go. */
void shmemi_buffers_close(void);

#endif
