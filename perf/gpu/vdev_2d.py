#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch's all_to_all_vdev_2d over NVSHMEM, several ranks on one NVIDIA GPU
under MPS: the peer of alltoallv_2d_stream of perf/alltoall. One line a size:
tokens, median microseconds, and payload of all ranks in GB/s."""

import argparse
import os
import statistics
import sys


def rank_main(rank, args):
    os.environ.update(
        MASTER_ADDR="127.0.0.1", MASTER_PORT=str(args.port), RANK=str(rank),
        WORLD_SIZE=str(args.ranks), NVSHMEM_DISABLE_NVLS="1",
        NVSHMEM_REMOTE_TRANSPORT="none", NVSHMEM_SYMMETRIC_SIZE="8G",
        CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=str(100 // args.ranks))
    import torch
    import torch.distributed as dist
    import torch.distributed._symmetric_memory as symm_mem

    device = torch.device("cuda:0")
    torch.cuda.set_device(device)
    dist.init_process_group("gloo", rank=rank, world_size=args.ranks)
    symm_mem.set_backend("NVSHMEM")
    name = dist.group.WORLD.group_name
    symm_mem.enable_symm_mem_for_group(name)
    splits = args.ranks * args.experts
    most = max(args.tokens) * args.top_k
    source = symm_mem.empty(most, args.hidden, dtype=torch.bfloat16,
                            device=device)
    dest = symm_mem.empty(2 * most, args.hidden, dtype=torch.bfloat16,
                          device=device)
    counts = symm_mem.empty(splits, dtype=torch.int64, device=device)
    found = symm_mem.empty((2, splits), dtype=torch.int64, device=device)
    for tensor in (source, dest, counts, found):
        symm_mem.rendezvous(tensor, group=name)
    for tokens in args.tokens:
        rows = tokens * args.top_k
        source[:rows] = float(rank + 1)
        base, more = divmod(rows, splits)
        counts.copy_(torch.tensor([base + (i < more) for i in range(splits)],
                                  dtype=torch.int64))
        times = []
        for i in range(args.reps):
            torch.cuda.synchronize()
            dist.barrier()
            begin, end = (torch.cuda.Event(enable_timing=True)
                          for _ in range(2))
            begin.record()
            for _ in range(args.iters):
                torch.ops.symm_mem.all_to_all_vdev_2d(source, dest, counts,
                                                      found, name)
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) * 1e3 / args.iters)
        check(rank, args, dest, found)
        if rank == 0:
            us = statistics.median(times)
            payload = rows * args.hidden * 2 * args.ranks
            print(f"torch\t{args.ranks}\t{tokens}\t{us:.1f} us\t"
                  f"{payload / us * 1e-3:.0f} GB/s", flush=True)
    dist.barrier()
    os._exit(0)  # NVSHMEM's own end is not what is measured


def check(rank, args, dest, found):
    """Split i of dest came from rank i % ranks."""
    numbers = found.tolist()
    for i, (count, at) in enumerate(zip(*numbers)):
        want = float(i % args.ranks + 1)
        if count and not bool((dest[at:at + count] == want).all()):
            sys.exit(f"rank {rank}: split {i} is wrong")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--ranks", type=int, default=4)
    p.add_argument("--experts", type=int, default=15, help="of a rank")
    p.add_argument("--top-k", type=int, default=8)
    p.add_argument("--hidden", type=int, default=7168)
    p.add_argument("--tokens", default="128,1024,4096",
                   type=lambda s: [int(n) for n in s.split(",")])
    p.add_argument("--reps", type=int, default=7)
    p.add_argument("--iters", type=int, default=10)
    p.add_argument("--port", type=int, default=29511)
    args = p.parse_args()
    import torch.multiprocessing as mp
    mp.spawn(rank_main, (args,), nprocs=args.ranks)


if __name__ == "__main__":
    main()
