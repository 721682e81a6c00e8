package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.asynq.benchmarks.report.Figure;
import io.asynq.test.redis.CommandWatch;

/** The cost of an idle server with three queues. */
final class Idle {

	private static final double COMMANDS_LIMIT = 5;

	private static final double CPU_LIMIT_PERCENT = 1;

	private Idle() {
	}

	static void run(Bench bench) {
		bench.report().heading("An idle server with three queues, concurrency 10");
		Samples ours = measure(bench, Contender.ours(bench));
		bench.report().limit("idle-commands", ours.commands, COMMANDS_LIMIT);
		bench.report().limit("idle-cpu", ours.cpu, CPU_LIMIT_PERCENT);
		if (!bench.plan().isQuick()) {
			measure(bench, Contender.go(bench));
		}
	}

	static Samples measure(Bench bench, Contender contender) {
		// No shorter than the heartbeat interval, or a round would be without heartbeat
		double seconds = bench.plan().isQuick() ? 5 : 10;
		bench.backlog().clear();
		bench.serve(contender, 1, Map.of("queues", "high:6,default:3,low:1"));
		// The cost of the start does not count
		pause(2);
		List<Double> sent = new ArrayList<>();
		List<Double> executed = new ArrayList<>();
		List<Double> cpu = new ArrayList<>();
		AtomicLong count = new AtomicLong();
		// MONITOR marks calls inside scripts, and INFO is a command of this program
		try (CommandWatch watch = bench.redis().watch((command) -> {
			if (!command.contains(" lua] ") && !command.contains("\"info\"") && !command.contains("\"INFO\"")) {
				count.incrementAndGet();
			}
		})) {
			for (int i = 0; i < bench.plan().rounds(); i++) {
				long cpuBefore = cpu(contender);
				long executedBefore = bench.redis().commands();
				long sentBefore = count.get();
				long start = System.nanoTime();
				pause(seconds);
				double elapsed = (System.nanoTime() - start) / 1e9;
				sent.add(Math.max(0.01, (count.get() - sentBefore) / elapsed));
				executed.add((bench.redis().commands() - executedBefore) / elapsed);
				cpu.add(Math.max(0.001, (cpu(contender) - cpuBefore) / 1e7 / elapsed));
			}
		}
		contender.peer().call("stop", Map.of());
		Figure commands = bench.figure("idle-commands", contender.label() + ": commands sent", "per second", 0, sent);
		bench.figure("idle-info", contender.label() + ": commands by INFO", "per second", 0, executed);
		return new Samples(commands, bench.figure("idle-cpu", contender.label() + ": CPU", "% of a core", 0, cpu));
	}

	private static long cpu(Contender contender) {
		return contender.peer().call("cpu", Map.of()).number("cpu_ns");
	}

	private static void pause(double seconds) {
		long nanos = (long) (seconds * 1e9);
		long end = System.nanoTime() + nanos;
		for (long left = nanos; left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	record Samples(Figure commands, Figure cpu) {
	}

}
