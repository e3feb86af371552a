/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a square plate with one hot edge, by Jacobi steps: each cell becomes
 * the mean of its four neighbours. The plate is cut into blocks, one a PE.
 * Shows shmem_team_split_2d for a grid of PEs and shmem_put_signal for the
 * edges that neighbours exchange, without any barrier.
 *
 *	oshcc -o heat heat.c -lm && oshrun -n 4 ./heat
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 96, STEPS = 400, ROW = SIZE + 2 };
enum { WEST, EAST, NORTH, SOUTH, NSIDES };

/* A part of the plate, with a rim of cells that belong to its neighbours. */
struct block {
	int x0, y0, nx, ny;
	double cell[2][ROW][ROW]; /* before and after a step */
};

static struct block whole, mine;
static int neighbour[NSIDES]; /* PE, or -1 at the plate's edge */

/* Written by the neighbours. Even and odd steps have different buffers: a
 * neighbour can be one step ahead, and never two. */
static double halo[2][NSIDES][SIZE];
static uint64_t arrived[NSIDES]; /* steps that have arrived */
static double change, largest_change;
static long wrong, wrong_all;

/* The cells along one side: those of the rim, or the block's outermost. */
struct line {
	double *first;
	int stride, n;
};

static struct line line_along(struct block *b, int which, int side, int rim)
{
	double(*c)[ROW] = b->cell[which];

	switch (side) {
	case WEST:
		return (struct line){ &c[1][1 - rim], ROW, b->ny };
	case EAST:
		return (struct line){ &c[1][b->nx + rim], ROW, b->ny };
	case NORTH:
		return (struct line){ &c[1 - rim][1], 1, b->nx };
	default:
		return (struct line){ &c[b->ny + rim][1], 1, b->nx };
	}
}

static void block_set(struct block *b, int x, int y, int npes_x, int npes_y)
{
	b->x0 = SIZE * x / npes_x;
	b->nx = SIZE * (x + 1) / npes_x - b->x0;
	b->y0 = SIZE * y / npes_y;
	b->ny = SIZE * (y + 1) / npes_y - b->y0;
	for (int i = 0; i < ROW && y == 0; i++)
		b->cell[0][0][i] = b->cell[1][0][i] = 1;
}

/* One step; returns by how much a cell has changed at most. */
static double relax(struct block *b, int step)
{
	double(*from)[ROW] = b->cell[step % 2];
	double(*to)[ROW] = b->cell[(step + 1) % 2];
	double most = 0;

	for (int y = 1; y <= b->ny; y++)
		for (int x = 1; x <= b->nx; x++) {
			to[y][x] = 0.25 * (from[y][x - 1] + from[y][x + 1] +
					   from[y - 1][x] + from[y + 1][x]);
			most = fmax(most, fabs(to[y][x] - from[y][x]));
		}
	return most;
}

static void send_edge(int side, int step)
{
	const struct line l = line_along(&mine, step % 2, side, 0);
	const int theirs = side ^ 1; /* our west is their east */
	double packed[SIZE];

	for (int i = 0; i < l.n; i++)
		packed[i] = l.first[i * l.stride];
	shmem_double_put_signal(halo[step % 2][theirs], packed, (size_t)l.n,
				&arrived[theirs], (uint64_t)step + 1,
				SHMEM_SIGNAL_SET, neighbour[side]);
}

static void receive_edge(int side, int step)
{
	const struct line l = line_along(&mine, step % 2, side, 1);

	shmem_signal_wait_until(&arrived[side], SHMEM_CMP_GE,
				(uint64_t)step + 1);
	for (int i = 0; i < l.n; i++)
		l.first[i * l.stride] = halo[step % 2][side][i];
}

static void exchange(int step)
{
	for (int side = 0; side < NSIDES; side++)
		if (neighbour[side] >= 0)
			send_edge(side, step);
	for (int side = 0; side < NSIDES; side++)
		if (neighbour[side] >= 0)
			receive_edge(side, step);
}

/* The PE beside this one in a team, by its number in the world. */
static int beside(shmem_team_t team, int by)
{
	const int pe = shmem_team_my_pe(team) + by;

	if (pe < 0 || pe >= shmem_team_n_pes(team))
		return -1;
	return shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);
}

static int widest_grid(int npes)
{
	int nx = (int)sqrt(npes);

	while (npes % nx)
		nx--;
	return nx;
}

/* Teams of the PEs in this PE's row and in its column. */
static void lay_grid(void)
{
	const int nx = widest_grid(shmem_n_pes()), ny = shmem_n_pes() / nx;
	shmem_team_t row, column;

	if (ny > SIZE) {
		fprintf(stderr, "heat: at most %d PEs in a column\n", SIZE);
		shmem_global_exit(1);
	}
	shmem_team_split_2d(SHMEM_TEAM_WORLD, nx, NULL, 0, &row, NULL, 0,
			    &column);
	neighbour[WEST] = beside(row, -1);
	neighbour[EAST] = beside(row, 1);
	neighbour[NORTH] = beside(column, -1);
	neighbour[SOUTH] = beside(column, 1);
	block_set(&mine, shmem_team_my_pe(row), shmem_team_my_pe(column), nx,
		  ny);
	shmem_team_destroy(column);
	shmem_team_destroy(row);
	if (shmem_my_pe() == 0)
		printf("%d x %d cells on %d x %d PEs\n", SIZE, SIZE, nx, ny);
}

static void print_change(int step)
{
	shmem_double_max_reduce(SHMEM_TEAM_WORLD, &largest_change, &change, 1);
	if (shmem_my_pe() == 0)
		printf("step %3d: largest change %.2e\n", step, largest_change);
}

/* This PE computes the whole plate alone; its block must agree bit by bit. */
static void check(void)
{
	block_set(&whole, 0, 0, 1, 1);
	for (int step = 0; step < STEPS; step++)
		relax(&whole, step);
	for (int y = 1; y <= mine.ny; y++)
		wrong +=
			memcmp(&mine.cell[STEPS % 2][y][1],
			       &whole.cell[STEPS % 2][mine.y0 + y][mine.x0 + 1],
			       (size_t)mine.nx * sizeof(double)) != 0;
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &wrong_all, &wrong, 1);
	if (shmem_my_pe() == 0)
		printf("checked: %d cells, %ld rows of blocks differ\n",
		       SIZE * SIZE, wrong_all);
	fflush(stdout);
}

int main(void)
{
	shmem_init();
	lay_grid();
	for (int step = 0; step < STEPS; step++) {
		exchange(step);
		change = relax(&mine, step);
		if ((step + 1) % 100 == 0)
			print_change(step + 1);
	}
	check();
	shmem_finalize();
	return wrong_all != 0;
}
