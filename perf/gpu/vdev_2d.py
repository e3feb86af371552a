#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch's all_to_all_vdev_2d over NVSHMEM: the peer of alltoallv_2d_stream
of perf/alltoall. Ranks take the NVIDIA GPUs in turn; several of one GPU need
MPS. The operation takes at most 32 ranks, and 16 experts of each. One line a
size: torch, ranks, tokens, median microseconds, and payload of all ranks in
GB/s."""

import argparse
import os
import statistics
import sys

MOST_RANKS, MOST_EXPERTS = 32, 16


def environment(rank, args):
    """Before PyTorch is loaded; multicast stays off."""
    os.environ.update(
        MASTER_ADDR="127.0.0.1", MASTER_PORT=str(args.port), RANK=str(rank),
        WORLD_SIZE=str(args.ranks), NVSHMEM_DISABLE_NVLS="1",
        NCCL_NVLS_ENABLE="0", TORCH_SYMM_MEM_DISABLE_MULTICAST="1",
        NVSHMEM_REMOTE_TRANSPORT="none", NVSHMEM_SYMMETRIC_SIZE="8G")
    sharers = (args.ranks + args.gpus - 1) // args.gpus
    if sharers > 1:
        os.environ["CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"] = str(100 // sharers)


def rank_main(rank, args):
    environment(rank, args)
    import torch
    import torch.distributed as dist
    import torch.distributed._symmetric_memory as symm_mem

    device = torch.device("cuda", rank % args.gpus)
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
        counts.copy_(torch.tensor(split(rows, splits), dtype=torch.int64))
        us = measure(args, lambda: torch.ops.symm_mem.all_to_all_vdev_2d(
            source, dest, counts, found, name))
        check(rank, args, dest, found)
        if rank == 0:
            report(args, tokens, us)
    dist.barrier()
    os._exit(0)  # NVSHMEM's own end is not what is measured


def split(rows, splits):
    base, more = divmod(rows, splits)
    return [base + (i < more) for i in range(splits)]


def measure(args, call):
    """Microseconds of a call on this rank, the median of all repetitions."""
    import torch
    import torch.distributed as dist

    times = []
    for _ in range(args.reps):
        torch.cuda.synchronize()
        dist.barrier()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(args.iters):
            call()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e3 / args.iters)
    return statistics.median(times)


def report(args, tokens, us):
    payload = tokens * args.top_k * args.hidden * 2 * args.ranks
    print(f"torch\t{args.ranks}\t{tokens}\t{us:.1f} us\t"
          f"{payload / us * 1e-3:.0f} GB/s", flush=True)


def check(rank, args, dest, found):
    """Split i of dest came from rank i % ranks."""
    numbers = found.tolist()
    for i, (count, at) in enumerate(zip(*numbers)):
        want = float(i % args.ranks + 1)
        if count and not bool((dest[at:at + count] == want).all()):
            sys.exit(f"rank {rank}: split {i} is wrong")


def options():
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
    for name, value, most in (("ranks", args.ranks, MOST_RANKS),
                              ("experts", args.experts, MOST_EXPERTS)):
        if not 1 <= value <= most:
            p.error(f"--{name} is {value}: the operation takes 1 to {most}")
    return args


def main():
    args = options()
    import torch
    import torch.multiprocessing as mp
    args.gpus = torch.cuda.device_count()
    if not args.gpus:
        sys.exit("vdev_2d: PyTorch sees no GPU")
    mp.spawn(rank_main, (args,), nprocs=args.ranks)


if __name__ == "__main__":
    main()
