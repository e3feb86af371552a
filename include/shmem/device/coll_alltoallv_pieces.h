/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of an alltoallv with no symmetric memory at either end: each is
 * copied into what the pair has, a piece at a time, and from there. And the
 * course of a group's large blocks of all ways.
 */
#ifndef SHMEM_DEVICE_COLL_ALLTOALLV_PIECES_H
#define SHMEM_DEVICE_COLL_ALLTOALLV_PIECES_H

#include <shmem/device/coll_alltoallv_large.h>

/* A block on its way, in one direction. */
struct shmemd_stream {
	int i; /* the other member */
	char *base;
	size_t bytes, at;
};

/* Behind the head and its last packet. */
#define SHMEMD_PIECE_PACKET (SHMEMD_HEAD_WORDS + 1)

SHMEMD_FN size_t shmemd_piece_bytes(const struct shmemd_vary *v)
{
	return v->team->far ? shmemd_far_slot_bytes(v->team) -
				      sizeof(struct shmemd_far_head) :
			      v->team->ll_bytes - 8 * SHMEMD_PIECE_PACKET;
}

SHMEMD_FN size_t shmemd_stream_next(const struct shmemd_vary *v,
				    const struct shmemd_stream *stream)
{
	const size_t most = shmemd_piece_bytes(v);
	const size_t left = stream->bytes - stream->at;

	return left < most ? left : most;
}

SHMEMD_FN void shmemd_piece_put(enum shmemd_scope s,
				const struct shmemd_vary *v, int i,
				const char *from, size_t bytes)
{
	const unsigned int step = shmemd_scope_size(s);
	const unsigned int words = ((unsigned int)bytes + 7) / 8;
	char *to;
	unsigned int w;

	if (!v->team->far) {
		to = shmemd_vary_packets_on(v, i) +
		     SHMEMD_PIECE_PACKET * SHMEMD_PACKET_BYTES;
		for (w = shmemd_scope_index(s); w < words; w += step)
			shmemd_packet_send(
				to, w,
				shmemd_word_get(from + 8 * w, bytes - 8 * w),
				(uint32_t)v->number);
		return;
	}
	to = shmemd_far_slot_of(v->team, i, v->team->me, v->number) +
	     sizeof(struct shmemd_far_head);
	if (shmemd_is_far(v->team, i))
		far_dev_put(s, SHMEM_CTX_DEFAULT, to, from, bytes,
			    shmemd_team_pe(v->team, i), 1);
	else
		xgmi_dev_put(s, to, from, bytes);
}

SHMEMD_FN void shmemd_piece_get(enum shmemd_scope s,
				const struct shmemd_vary *v, int i, char *to,
				size_t bytes)
{
	const unsigned int step = shmemd_scope_size(s);
	const unsigned int words = ((unsigned int)bytes + 7) / 8;
	const char *from;
	unsigned int w;

	if (v->team->far) {
		xgmi_dev_get(s, to,
			     shmemd_vary_slot(v, i) +
				     sizeof(struct shmemd_far_head),
			     bytes);
		return;
	}
	from = shmemd_vary_packets(v, i) +
	       SHMEMD_PIECE_PACKET * SHMEMD_PACKET_BYTES;
	for (w = shmemd_scope_index(s); w < words; w += step)
		shmemd_word_set(
			to + 8 * w,
			shmemd_packet_await(from, w, (uint32_t)v->number),
			bytes - 8 * w);
}

/* Piece number `piece`, 1 for the first; the one before was taken. */
SHMEMD_FN void shmemd_stream_send(enum shmemd_scope s,
				  const struct shmemd_vary *v,
				  struct shmemd_stream *stream, uint64_t piece)
{
	const int first = shmemd_scope_index(s) == 0, me = v->team->me;
	const size_t bytes = shmemd_stream_next(v, stream);

	if (!bytes)
		return;
	if (first && piece > 1)
		shmemd_vary_look(v, stream->i,
				 shmemd_vary_taken(v, me, stream->i),
				 shmemd_vary_stamp(v, piece - 1));
	shmemd_scope_sync(s);
	shmemd_piece_put(s, v, stream->i, stream->base + stream->at, bytes);
	shmemd_payload_before_flag(s, first);
	if (first)
		shmemd_vary_tell(v, stream->i,
				 shmemd_vary_came(v, stream->i, me),
				 shmemd_vary_stamp(v, piece));
	stream->at += bytes;
}

SHMEMD_FN void shmemd_stream_take(enum shmemd_scope s,
				  const struct shmemd_vary *v,
				  struct shmemd_stream *stream, uint64_t piece)
{
	const int first = shmemd_scope_index(s) == 0, me = v->team->me;
	const size_t bytes = shmemd_stream_next(v, stream);

	if (!bytes)
		return;
	if (first)
		shmemd_vary_look(v, stream->i,
				 shmemd_vary_came(v, me, stream->i),
				 shmemd_vary_stamp(v, piece));
	shmemd_flag_seen_before_payload(s, first);
	shmemd_piece_get(s, v, stream->i, stream->base + stream->at, bytes);
	shmemd_payload_before_flag(s, first);
	if (first)
		shmemd_vary_tell(v, stream->i,
				 shmemd_vary_taken(v, stream->i, me),
				 shmemd_vary_stamp(v, piece));
	stream->at += bytes;
}

/* All in one order of pairs, and both directions by turns: nobody is stuck. */
SHMEMD_SLOW void shmemd_vary_pieces(enum shmemd_scope s,
				    const struct shmemd_vary *v)
{
	const int n = v->team->n_pes, me = v->team->me;
	struct shmemd_stream out, in;
	struct shmemd_head head;
	uint64_t piece;
	int k;

	for (k = 1; k < n; k++) {
		out.i = me + k < n ? me + k : me + k - n;
		in.i = me >= k ? me - k : me - k + n;
		out.base = (char *)shmemd_vary_source(v, out.i);
		in.base = shmemd_vary_dest(v, in.i);
		out.at = out.bytes = in.at = in.bytes = 0;
		if (shmemd_vary_out(v, out.i, &head) == SHMEMD_VARY_PIECES)
			out.bytes = shmemd_vary_out_bytes(v, out.i);
		if (shmemd_vary_in(v, in.i, &head) == SHMEMD_VARY_PIECES)
			in.bytes = shmemd_vary_in_bytes(v, in.i);
		for (piece = 1; out.at < out.bytes || in.at < in.bytes;
		     piece++) {
			shmemd_stream_send(s, v, &out, piece);
			shmemd_stream_take(s, v, &in, piece);
		}
	}
	shmemd_scope_sync(s);
}

/* Of a wave or a work-group, to the end. */
SHMEMD_SLOW void shmemd_vary_large(enum shmemd_scope s,
				   const struct shmemd_vary *v)
{
	const int pulls = shmemd_vary_pulls(v);
	int pulled;

	shmemd_vary_push(s, v);
	pulled = shmemd_vary_pulled(v);
	shmemd_owed_before_flag(s, 1,
				pulled ? SHMEMD_OWED_STORES : SHMEMD_OWED_PUTS);
	shmemd_vary_announce(s, v);
	if (pulls)
		shmemd_vary_pull(s, v);
	if (pulls || pulled) {
		shmemd_vary_acknowledge(s, v);
		shmemd_vary_pieces(s, v);
	}
}

/* Of a grid; returns what this work-group wrote by plain stores. */
SHMEMD_SLOW enum shmemd_owed shmemd_vary_slices(const struct shmemd_vary *v)
{
	const int pulls = shmemd_vary_pulls(v);

	shmemd_vary_push(SHMEMD_GRID, v);
	if (pulls)
		shmemd_vary_pull(SHMEMD_GRID, v);
	if (shmemd_wg() == 0 && (pulls || shmemd_vary_pulled(v)))
		shmemd_vary_pieces(SHMEMD_WG, v);
	return pulls ? SHMEMD_OWED_STORES : SHMEMD_OWED_PUTS;
}

#endif
