package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.asynq.benchmarks.report.Figure;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;

/** The cost of an idle server with three queues. */
public final class Idle implements Measure {

	private static final double COMMANDS_LIMIT = 5;

	private static final double CPU_LIMIT_PERCENT = 1;

	@Override
	public String name() {
		return "idle";
	}

	@Override
	public void run(Bench bench) {
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
		contender.peer()
			.call("serve", Map.of("redis", bench.redis().address(), "queues", "high:6,default:3,low:1", "concurrency",
					10, "tasks", 1));
		// The cost of the start does not count
		pause(2);
		List<Double> sent = new ArrayList<>();
		List<Double> executed = new ArrayList<>();
		List<Double> cpu = new ArrayList<>();
		try (SentCommands commands = new SentCommands(bench.redis().port())) {
			for (int i = 0; i < bench.plan().rounds(); i++) {
				long cpuBefore = cpu(contender);
				long executedBefore = bench.redis().commands();
				long sentBefore = commands.count();
				long start = System.nanoTime();
				pause(seconds);
				double elapsed = (System.nanoTime() - start) / 1e9;
				sent.add(Math.max(0.01, (commands.count() - sentBefore) / elapsed));
				executed.add((bench.redis().commands() - executedBefore) / elapsed);
				cpu.add(Math.max(0.001, (cpu(contender) - cpuBefore) / 1e7 / elapsed));
			}
		}
		contender.peer().call("stop", Map.of());
		Samples samples = new Samples(
				new Figure("idle-commands", contender.label() + ": commands sent", "per second", 0, sent),
				new Figure("idle-cpu", contender.label() + ": CPU", "% of a core", 0, cpu));
		bench.report().figure(samples.commands);
		bench.report()
			.figure(new Figure("idle-info", contender.label() + ": commands by INFO", "per second", 0, executed));
		bench.report().figure(samples.cpu);
		return samples;
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

	/**
	 * Counts the commands of clients by MONITOR, which marks calls inside scripts. INFO
	 * of this program is not counted.
	 */
	private static final class SentCommands implements AutoCloseable {

		private final AtomicLong count = new AtomicLong();

		private final Jedis jedis;

		private final Thread thread;

		SentCommands(int port) {
			this.jedis = new Jedis("127.0.0.1", port, (int) Duration.ofMinutes(5).toMillis());
			this.jedis.ping();
			this.thread = new Thread(this::monitor, "monitor");
			this.thread.setDaemon(true);
			this.thread.start();
		}

		long count() {
			if (!this.thread.isAlive()) {
				throw new IllegalStateException("MONITOR has ended, so commands cannot be counted");
			}
			return this.count.get();
		}

		@Override
		public void close() {
			this.jedis.close();
		}

		private void monitor() {
			try {
				this.jedis.monitor(new JedisMonitor() {

					@Override
					public void onCommand(String command) {
						if (!command.contains(" lua] ") && !command.contains("\"info\"")
								&& !command.contains("\"INFO\"")) {
							SentCommands.this.count.incrementAndGet();
						}
					}

				});
			}
			catch (RuntimeException ex) {
				// Closed, which ends it
			}
		}

	}

}
